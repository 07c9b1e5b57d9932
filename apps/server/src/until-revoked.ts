import { RecollectError } from '@recollect/core';
import type { RequestContext } from './gate/gate.js';

/** Milliseconds between two checks of the credentials. */
const CHECK_EVERY = 20_000;

/** Runs long work with a signal that aborts when its request would no longer be admitted, or when the server stops. */
export async function untilRevoked<T>(
  { isStillAdmitted }: RequestContext,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const revoked = new AbortController();
  const timer = setInterval(async () => {
    if (!(await isStillAdmitted())) revoked.abort(new RecollectError('API_KEY_INVALID', 'The API key was revoked.'));
  }, CHECK_EVERY).unref();
  try {
    return await work(AbortSignal.any([stopping, revoked.signal]));
  } catch (error) {
    if (stopping.aborted && !(error instanceof RecollectError)) throw stoppingError();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function stoppingError(): RecollectError {
  return new RecollectError('UNAVAILABLE', 'The service is stopping. Send the same file again once it has started.');
}
