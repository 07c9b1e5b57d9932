import type { Lease } from './lease-store.js';

/** A capture event not yet delivered to a plugin. Its id is the same for all plugins. */
export interface OutboxEvent {
  /** Its position in commit order. */
  position: number;
  id: string;
  memoryId: string;
  time: string;
}

export interface EventCounts {
  slug: string;
  /** Events delivered successfully since the plugin was installed. */
  told: number;
  waiting: number;
  parked: number;
  /** When the first waiting event is due; null when none is waiting. */
  nextAt: string | null;
  /** The last error among waiting and parked events. */
  lastError: string | null;
}

/** Events to deliver to plugins. The memory store writes them in the transaction of the capture. */
export interface EventOutbox {
  /** Active plugins with a due event, per user. */
  waiting(now: string): Promise<{ userId: string; slug: string }[]>;
  /** Claims the lease to deliver a plugin's events. Null while another runner holds it. */
  claim(userId: string, slug: string, leaseMs: number): Promise<Lease | null>;
  /** The first unparked event of a plugin. Null when there is none or it is not due. */
  next(userId: string, slug: string, now: string): Promise<OutboxEvent | null>;
  /** Removes an event, and counts it as delivered unless `wasDelivered` is false. Throws {@link LeaseLostError}. */
  settle(lease: Lease, event: OutboxEvent, wasDelivered?: boolean): Promise<void>;
  /**
   * Records a failure. The event is due again after `retryAfterMs(failures)`, or parked when that returns null. Throws
   * {@link LeaseLostError}.
   */
  fail(
    lease: Lease,
    event: OutboxEvent,
    failure: { error: string; now: string; retryAfterMs: (failures: number) => number | null },
  ): Promise<void>;
  counts(userId: string): Promise<EventCounts[]>;
  /** Makes all events of a plugin due immediately, including parked ones. */
  requeue(slug: string, now: string): Promise<void>;
}
