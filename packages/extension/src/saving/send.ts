import type { Capture, CaptureAnswer } from '@recollect/contract';
import { ProblemError, UnexpectedResponseError } from '@recollect/contract/client';
import { type Connected, type Connection, connectionAfter, isDenial, isStoreProblem } from './connection.js';

/**
 * The result of sending one capture. A `kept` capture is retried. A `refused` one stays until the user discards it. A
 * `gone` one was sent by another window.
 */
export type Delivery =
  | { outcome: 'saved'; result: CaptureAnswer['captures'][number]; warnings: readonly string[] }
  | Kept
  | { outcome: 'refused'; reason: string }
  | { outcome: 'gone' };

export interface Kept {
  outcome: 'kept';
  connection: Connection;
  /** Whether the next capture would also be kept. */
  affectsAll: boolean;
  /** The server's message, if it responded. */
  reason?: string;
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
    if (error instanceof ProblemError && !isDenial(error)) return deliveryAfterProblem(error, connected);
    return deliveryAfter(error, connectionAfter(error, host, hasKey));
  }
}

/** Statuses that apply to every request, not only to this capture. */
const STATUSES_FOR_ALL = [401, 403, 408, 425, 429, 502, 503, 504];

const TOO_LARGE = 'it is too large for the server or the proxy in front of it.';

/** Follows a message of the server, such as a store that accepts nothing, or a rate limit. */
function deliveryAfterProblem(error: ProblemError, connection: Connected): Delivery {
  const { status, message } = error;
  const affectsAll = isStoreProblem(error) || STATUSES_FOR_ALL.includes(status);
  if (affectsAll || status >= 500) return { outcome: 'kept', connection, affectsAll, reason: message };
  return { outcome: 'refused', reason: status === 413 ? TOO_LARGE : message };
}

/** After an answer that is not the server's, or none. */
function deliveryAfter(error: unknown, connection: Connection): Delivery {
  const status = error instanceof UnexpectedResponseError ? error.status : null;
  if (status === 413) return { outcome: 'refused', reason: TOO_LARGE };
  const isOfThis = status !== null && status >= 500 && !STATUSES_FOR_ALL.includes(status);
  return { outcome: 'kept', connection, affectsAll: !isOfThis };
}
