import type { Capture, CaptureAnswer } from '@recollect/contract';
import { ProblemError } from '@recollect/contract/client';
import { type Connected, type Connection, failed } from './connection.js';
import { listWaiting, readCapture, refuse, remove, type Waiting } from './outbox.js';

/** How the sending of one capture ended. What was `kept` is tried again; what was `refused` only when the user wants it. */
export type Delivery =
  | { outcome: 'saved'; result: CaptureAnswer['captures'][number] }
  | { outcome: 'kept'; connection: Connection }
  | { outcome: 'refused'; reason: string };

/** Sends a capture that waits, and takes it out of the outbox when the server has it. */
export function deliver(connected: Connected, { id }: Waiting): Promise<Delivery> {
  // Of windows that send at once one waits for the other.
  return navigator.locks.request('outbox', async (): Promise<Delivery> => {
    const capture = await readCapture(id);
    if (capture === undefined) return { outcome: 'refused', reason: 'another window sent it meanwhile.' };
    const delivery = await send(connected, id, capture);
    if (delivery.outcome === 'saved') await remove(id);
    if (delivery.outcome === 'refused') await refuse(id, delivery.reason);
    return delivery;
  });
}

/** Sends all that waits and was not refused, in order. Ends at the first that the server cannot take now. */
export async function deliverAll(connected: Connected): Promise<{ sent: number; connection: Connection | null }> {
  let sent = 0;
  for (const waiting of await listWaiting()) {
    if (waiting.refusal !== null) continue;
    const delivery = await deliver(connected, waiting);
    if (delivery.outcome === 'kept') return { sent, connection: delivery.connection };
    if (delivery.outcome === 'saved') sent += 1;
  }
  return { sent, connection: null };
}

/** Sends a capture once under a key, which makes it the same request however often it is sent. */
export async function send({ client, host }: Connected, id: string, capture: Capture): Promise<Delivery> {
  const request = () => client('capture', { body: { capture }, headers: { 'idempotency-key': id } });
  try {
    const { captures } = await request().catch((error) => {
      // It is saved, without embeddings for now; the same request again is told how.
      if (error instanceof ProblemError && error.code === 'EMBEDDING_FAILED') return request();
      throw error;
    });
    const [result] = captures;
    return result === undefined
      ? { outcome: 'kept', connection: { state: 'wrong-server', host } }
      : { outcome: 'saved', result };
  } catch (error) {
    if (!(error instanceof ProblemError)) return { outcome: 'kept', connection: failed(error, host, false) };
    const isForNow = [401, 403, 408, 425, 429].includes(error.status) || error.status >= 500;
    return isForNow
      ? { outcome: 'kept', connection: failed(error, host, true) }
      : { outcome: 'refused', reason: error.message };
  }
}
