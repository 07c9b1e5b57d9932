import type { IndexingJob, IndexingStatus } from '@recollect/contract';
import type { Lease } from './lease-store.js';

/** The right to work on a user's index. */
export interface IndexingLease extends Lease {
  jobId: string;
  /** How often the job had been queued when the lease was taken. */
  requests: number;
}

/** Work to record within a change of memories. */
export interface IndexingDraft {
  status: 'pending' | 'blocked';
  error?: string | undefined;
  /** When a runner starts it; at once by default. */
  dueAt?: string | undefined;
}

export interface IndexingOutcome {
  status: IndexingStatus;
  /** Memories, to be added to those of earlier batches. */
  processed: number;
  remaining: number;
  model: string | null;
  error: string | null;
}

/**
 * The record of embedding work, one open job a user. Work on it needs a lease, so that several processes never embed
 * the same chunk twice and a killed one is replaced when its lease runs out.
 */
export interface IndexingJobStore {
  latest(userId: string): Promise<IndexingJob | null>;
  /**
   * Opens a job, or takes the open one, and gives it this status. It is due at once, or at `dueAt`. `blocked` leaves the status of
   * an open job unchanged, since another process may have a model.
   */
  queue(
    userId: string,
    draft: { status: IndexingStatus; remaining: number; error?: string | undefined; dueAt?: string | undefined },
  ): Promise<IndexingJob>;
  /** Takes the lease on the open job, making one where there is none; null while somebody else holds it. */
  claim(userId: string, leaseMs: number): Promise<IndexingLease | null>;
  /** Extends a lease; false when it is lost. */
  renew(lease: IndexingLease, leaseMs: number): Promise<boolean>;
  /**
   * Records an outcome and gives the lease back; null when the lease is lost. A completed job that was queued again
   * under the lease stays pending; a failed job is due again after
   * `retryAfterMs(tries)`, where `tries` counts its failures in a row, and no more when that is null.
   */
  finish(
    lease: IndexingLease,
    outcome: IndexingOutcome,
    retryAfterMs: (tries: number) => number | null,
  ): Promise<IndexingJob | null>;
  /** Gives a lease back without an outcome. */
  release(lease: IndexingLease): Promise<void>;
  /** Users with an open job that is due or blocked and not leased, the longest waiting first. */
  due(limit: number): Promise<string[]>;
}
