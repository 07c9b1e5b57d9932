import type { Lease } from './lease-store.js';

/** A capture that a plugin has not been told of yet. Its id is the same for all plugins. */
export interface OutboxEvent {
  /** Its place in the order of the commits. */
  position: number;
  id: string;
  memoryId: string;
  time: string;
}

export interface EventCounts {
  slug: string;
  /** Told without a failure, since it was installed. */
  told: number;
  waiting: number;
  parked: number;
  /** When the first that waits is due; null when none waits. */
  nextAt: string | null;
  /** Of those that wait or are parked. */
  lastError: string | null;
}

/** Events on their way to plugins. They are written by the memory store, in the transaction of the capture. */
export interface EventOutbox {
  /** Active plugins that have an event due, and whose. */
  waiting(now: string): Promise<{ userId: string; slug: string }[]>;
  /** The right to deliver a plugin's events. Null while another runner holds it. */
  claim(userId: string, slug: string, leaseMs: number): Promise<Lease | null>;
  /** The first event of a plugin that is not parked; null when there is none or it is not due. */
  next(userId: string, slug: string, now: string): Promise<OutboxEvent | null>;
  /** Removes an event, and counts it as delivered unless `wasDelivered` is false. Throws {@link LeaseLostError}. */
  settle(lease: Lease, event: OutboxEvent, wasDelivered?: boolean): Promise<void>;
  /**
   * Counts a failure: the event is due again after `retryAfterMs(failures)`, or parked when that is null. Throws
   * {@link LeaseLostError}.
   */
  fail(
    lease: Lease,
    event: OutboxEvent,
    failure: { error: string; now: string; retryAfterMs: (failures: number) => number | null },
  ): Promise<void>;
  counts(userId: string): Promise<EventCounts[]>;
  /** Makes every event of a plugin due at once, parked ones too. */
  requeue(slug: string, now: string): Promise<void>;
}
