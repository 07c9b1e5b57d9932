import type { Capture, CaptureAnswer } from '@recollect/contract';
import { ProblemError, UnexpectedAnswerError } from '@recollect/contract/client';
import { type Connected, type Connection, failed } from './connection.js';
import { listWaiting, readEntry, refuse, remove, type Waiting } from './outbox.js';

/**
 * How the sending of one capture ended. What was `kept` is tried again; what was `refused` stays until it is discarded;
 * what is `gone` was sent by another window.
 */
export type Delivery =
  | { outcome: 'saved'; result: CaptureAnswer['captures'][number] }
  | { outcome: 'kept'; connection: Connection; isForAll: boolean; reason?: string }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'gone' };

export interface Deliveries {
  /** What became of each, by the key that it was sent under. */
  byKey: ReadonlyMap<string, Delivery>;
  /** The connection, where it was lost meanwhile. */
  lost: Connection | null;
}

/**
 * Sends all that waits and was not refused, in order, and takes it out of the outbox once the server has it. What the
 * server cannot take for a reason of its own does not keep back the others. Of windows that send at once one waits.
 */
export function deliverAll(connected: Connected): Promise<Deliveries> {
  return navigator.locks.request('outbox', async () => {
    const byKey = new Map<string, Delivery>();
    let lost: Connection | null = null;
    for (const waiting of await listWaiting()) {
      if (waiting.refusal !== null) continue;
      const { key, delivery } = await deliver(connected, waiting);
      byKey.set(key, delivery);
      if (delivery.outcome === 'kept' && delivery.isForAll) {
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
    const reason = 'the browser has thrown away what it held.';
    await refuse(waiting, reason);
    return { key, delivery: { outcome: 'refused', reason } };
  }
  const delivery = await send(connected, key, capture);
  if (delivery.outcome === 'saved') await remove(waiting);
  if (delivery.outcome === 'refused') await refuse(waiting, delivery.reason);
  return { key, delivery };
}

/** Sends a capture once under a key, which makes it the same request however often it is sent. */
export async function send(connected: Connected, key: string, capture: Capture): Promise<Delivery> {
  const { client, host, hasKey } = connected;
  const request = () => client('capture', { body: { capture }, headers: { 'idempotency-key': key } });
  try {
    const { captures } = await request().catch((error) => {
      // It is saved, without embeddings for now; the same request again is told how.
      if (error instanceof ProblemError && error.code === 'EMBEDDING_FAILED') return request();
      throw error;
    });
    const [result] = captures;
    if (result === undefined) throw new UnexpectedAnswerError(200);
    return { outcome: 'saved', result };
  } catch (error) {
    // The server answers, and its store takes nothing: it says why.
    if (error instanceof ProblemError && error.code.startsWith('STORE_')) {
      return { outcome: 'kept', connection: connected, isForAll: true, reason: error.message };
    }
    return judge(error, failed(error, host, hasKey));
  }
}

/** Statuses by which a server does not speak of the one capture, but of everything that is sent. */
const FOR_ALL = [401, 403, 408, 425, 429, 502, 503, 504];

function judge(error: unknown, connection: Connection): Delivery {
  if (!(error instanceof ProblemError) && !(error instanceof UnexpectedAnswerError)) {
    return { outcome: 'kept', connection, isForAll: true };
  }
  const { status } = error;
  if (status === 413)
    return { outcome: 'refused', reason: 'it is larger than the server, or a proxy before it, takes.' };
  if (FOR_ALL.includes(status) || status >= 500) {
    return { outcome: 'kept', connection, isForAll: FOR_ALL.includes(status) };
  }
  if (error instanceof ProblemError) return { outcome: 'refused', reason: error.message };
  return { outcome: 'kept', connection, isForAll: true };
}
