import type { IndexingJob, IndexingStatus } from '@recollect/contract';

export interface IndexingLease extends Lease {
  jobId: string;
  /** How often the job had been queued when the lease was claimed. */
  requests: number;
}

/** The indexing job to record in the transaction of a change. */
export interface IndexingDraft {
  status: 'pending' | 'blocked';
  error?: string | undefined;
  /** When a runner starts it; at once by default. */
  dueAt?: string | undefined;
}

export interface IndexingOutcome {
  status: IndexingStatus;
  /** Memories processed in this batch. Added to the count of earlier batches. */
  processed: number;
  remaining: number;
  model: string | null;
  error: string | null;
}

/**
 * Indexing jobs, at most one open job per user. Work on a job needs a lease: no two processes embed the same chunk, and
 * when one is killed, another takes over once the lease expires.
 */
export interface IndexingJobStore {
  latest(userId: string): Promise<IndexingJob | null>;
  /**
   * Opens a job, or takes the open one, and gives it this status. It is due at once, or at `dueAt`. `blocked` leaves
   * the status of an open job unchanged, since another process may have a model.
   */
  queue(
    userId: string,
    draft: { status: IndexingStatus; remaining: number; error?: string | undefined; dueAt?: string | undefined },
  ): Promise<IndexingJob>;
  /**
   * Claims the lease on the open job, and creates a job if there is none. Null while another runner holds the lease.
   */
  claim(userId: string, leaseMs: number): Promise<IndexingLease | null>;
  /** Extends a lease. False when it is lost. */
  renew(lease: IndexingLease, leaseMs: number): Promise<boolean>;
  /**
   * Records an outcome and releases the lease. Null when the lease is lost. A completed job that was queued again
   * during the lease stays pending. A failed job is due again after `retryAfterMs(tries)`, where `tries` counts its
   * consecutive failures; when that is null, it is not retried.
   */
  finish(
    lease: IndexingLease,
    outcome: IndexingOutcome,
    retryAfterMs: (tries: number) => number | null,
  ): Promise<IndexingJob | null>;
  /** Releases a lease without an outcome. */
  release(lease: IndexingLease): Promise<void>;
  /** Users with an open job that is due or blocked and not leased, longest waiting first. */
  due(limit: number): Promise<string[]>;
}

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
