import type { IncomingMessage } from 'node:http';
import { RecollectError } from '@recollect/core';

/**
 * The body of a request in the parts in which it arrives. Only the time that is spent waiting for the client counts. Throws
 * REQUEST_TIMEOUT if nothing arrives for so many milliseconds, and REQUEST_MALFORMED if the connection closes.
 */
export async function* readBody(request: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array> {
  const parts = request.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = parts.next().catch(() => {
      throw new RecollectError('REQUEST_MALFORMED', 'The connection closed before the body was complete.');
    });
    const part = await within(next, idleMs);
    if (part.done) return;
    yield part.value;
  }
}

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const sentence = `Nothing of the body arrived for ${milliseconds / 1_000} seconds.`;
    timer = setTimeout(() => reject(new RecollectError('REQUEST_TIMEOUT', sentence)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Whoever waited has its answer.
    work.catch(() => {});
  }
}
