/**
 * The exclusive right to do one task for a user. `fence` grows with every claim. The stores reject writes under a lease
 * that has expired or that another runner holds.
 */
export interface Lease {
  userId: string;
  name: string;
  fence: number;
}

/** Leases for all processes that share a store. Timed by a monotonic clock, independent of the wall clock (REL-12). */
export interface LeaseStore {
  /** Null while another runner holds it. */
  claim(userId: string, name: string, milliseconds: number): Promise<Lease | null>;
  /** Extends a lease. False when it has expired or is lost. */
  renew(lease: Lease, milliseconds: number): Promise<boolean>;
  release(lease: Lease): Promise<void>;
}
