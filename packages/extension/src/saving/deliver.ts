import { announceChange } from './changes.js';
import type { Connected } from './connection.js';
import { listWaiting, markRefused, readEntry, remove, type Waiting } from './outbox.js';
import { type Delivery, type Kept, send } from './send.js';

export interface Deliveries {
  /** The result of each capture, by its Idempotency-Key. */
  byKey: ReadonlyMap<string, Delivery>;
  /** Why the remaining captures also wait. */
  stopped: Kept | null;
}

const LOCK = 'outbox';

/** Runs work during which no window sends, unless one is sending already. */
export function holdDelivery<T>(work: (isHeld: boolean) => Promise<T>): Promise<T> {
  return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => work(lock !== null)) as Promise<T>;
}

/**
 * Sends all waiting captures that were not refused, in order, and removes each one from the outbox once the server has
 * it. A problem with one capture does not hold back the others. Windows that send at the same time take turns.
 */
export function deliverAll(connected: Connected): Promise<Deliveries> {
  return navigator.locks.request(LOCK, async () => {
    const byKey = new Map<string, Delivery>();
    let stopped: Kept | null = null;
    for (const waiting of await listWaiting()) {
      if (waiting.refusal !== null) continue;
      const { key, delivery } = await deliver(connected, waiting);
      byKey.set(key, delivery);
      if (delivery.outcome === 'kept' && delivery.affectsAll) {
        stopped = delivery;
        break;
      }
    }
    return { byKey, stopped };
  });
}

async function deliver(connected: Connected, listed: Waiting): Promise<{ key: string; delivery: Delivery }> {
  const entry = await readEntry(listed.id);
  if (entry === undefined) return { key: listed.key, delivery: { outcome: 'gone' } };
  const { waiting, capture } = entry;
  const { key } = waiting;
  if (capture === null) {
    const reason = 'the browser has deleted its content.';
    await markRefused(waiting, reason);
    return { key, delivery: { outcome: 'refused', reason } };
  }
  const delivery = await send(connected, key, capture);
  if (delivery.outcome === 'saved') {
    await remove(waiting);
    announceChange();
  }
  if (delivery.outcome === 'refused') await markRefused(waiting, delivery.reason);
  return { key, delivery };
}
