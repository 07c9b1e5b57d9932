import type { IncomingMessage } from 'node:http';
import { RecollectError } from '@recollect/core';

/**
 * The body of a request in the parts in which it arrives. Only the time that is spent waiting for the client counts.
 * Throws REQUEST_TIMEOUT if nothing arrives for so many milliseconds, REQUEST_MALFORMED if the connection closes, and
 * the signal's reason.
 */
export async function* readBody(
  request: IncomingMessage,
  idleMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const parts = request.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = parts.next().catch(() => {
      throw new RecollectError('REQUEST_MALFORMED', 'The connection closed before the body was complete.');
    });
    const part = await within(next, idleMs, signal);
    if (part.done) return;
    yield part.value;
  }
}

async function within<T>(work: Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const sentence = `Nothing of the body arrived for ${milliseconds / 1_000} seconds.`;
  const timer = setTimeout(() => reject(new RecollectError('REQUEST_TIMEOUT', sentence)), milliseconds);
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // The pending read has already been settled.
    work.catch(() => {});
  }
}
