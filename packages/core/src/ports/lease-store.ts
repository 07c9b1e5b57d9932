/**
 * The right to do one thing for a user. `fence` grows with every claim; what is written under a lease that ran out, or
 * that somebody else holds by now, is refused.
 */
export interface Lease {
  userId: string;
  name: string;
  fence: number;
}

/**
 * Leases, for all processes that share a store. They are timed by a clock that only goes forward, whatever happens to the
 * wall clock (REL-12).
 */
export interface LeaseStore {
  /** Null while somebody holds it. */
  claim(userId: string, name: string, milliseconds: number): Promise<Lease | null>;
  /** Extends a lease; false when it has run out or is lost. */
  renew(lease: Lease, milliseconds: number): Promise<boolean>;
  release(lease: Lease): Promise<void>;
}
