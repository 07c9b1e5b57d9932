import type { Capture, CaptureAnswer } from '@recollect/contract';
import { ProblemError, UnexpectedResponseError } from '@recollect/contract/client';
import { type Connected, type Connection, connectionAfter, isStoreProblem } from './connection.js';
import { listWaiting, markRefused, readEntry, remove, type Waiting } from './outbox.js';

/**
 * The result of sending one capture. A `kept` capture is retried. A `refused` one stays until the user discards it. A
 * `gone` one was sent by another window.
 */
export type Delivery =
  | { outcome: 'saved'; result: CaptureAnswer['captures'][number]; warnings: readonly string[] }
  | { outcome: 'kept'; connection: Connection; affectsAll: boolean; reason?: string }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'gone' };

export interface Deliveries {
  /** The result of each capture, by its Idempotency-Key. */
  byKey: ReadonlyMap<string, Delivery>;
  /** The new connection state, if the connection was lost. */
  lost: Connection | null;
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
    let lost: Connection | null = null;
    for (const waiting of await listWaiting()) {
      if (waiting.refusal !== null) continue;
      const { key, delivery } = await deliver(connected, waiting);
      byKey.set(key, delivery);
      if (delivery.outcome === 'kept' && delivery.affectsAll) {
        lost = delivery.connection;
        break;
      }
    }
    return { byKey, lost };
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
  if (delivery.outcome === 'saved') await remove(waiting);
  if (delivery.outcome === 'refused') await markRefused(waiting, delivery.reason);
  return { key, delivery };
}

/** Sends a capture under an Idempotency-Key, so that repeated requests save it only once. */
export async function send(connected: Connected, key: string, capture: Capture): Promise<Delivery> {
  const { client, host, hasKey } = connected;
  const request = () => client('capture', { body: { capture }, headers: { 'idempotency-key': key } });
  try {
    const { captures, warnings = [] } = await request().catch((error) => {
      // The capture was saved without embeddings. Repeating the same request returns how it was saved.
      if (error instanceof ProblemError && error.code === 'EMBEDDING_FAILED') return request();
      throw error;
    });
    const [result] = captures;
    if (result === undefined) throw new UnexpectedResponseError(200);
    return { outcome: 'saved', result, warnings };
  } catch (error) {
    // The server is running, but its store accepts nothing. The message says why.
    if (isStoreProblem(error)) {
      return { outcome: 'kept', connection: connected, affectsAll: true, reason: error.message };
    }
    return deliveryAfter(error, connectionAfter(error, host, hasKey));
  }
}

/** Statuses that apply to every request, not only to this capture. */
const STATUSES_FOR_ALL = [401, 403, 408, 425, 429, 502, 503, 504];

function deliveryAfter(error: unknown, connection: Connection): Delivery {
  if (!(error instanceof ProblemError) && !(error instanceof UnexpectedResponseError)) {
    return { outcome: 'kept', connection, affectsAll: true };
  }
  const { status } = error;
  if (status === 413)
    return { outcome: 'refused', reason: 'it is too large for the server or the proxy in front of it.' };
  if (STATUSES_FOR_ALL.includes(status) || status >= 500) {
    return { outcome: 'kept', connection, affectsAll: STATUSES_FOR_ALL.includes(status) };
  }
  if (error instanceof ProblemError) return { outcome: 'refused', reason: error.message };
  return { outcome: 'kept', connection, affectsAll: true };
}
