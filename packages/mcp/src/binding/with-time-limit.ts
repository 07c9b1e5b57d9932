import { limits } from '@recollect/contract/limits';

/** Milliseconds before the limit at which the work is asked to stop, so that it can still report what it has done. */
const GRACE_PERIOD = 1_000;

/**
 * Runs work within the time limit of a call. The work's signal aborts shortly before the limit. Throws a `TimeoutError`
 * at the limit, or the reason of `cancelled` if that aborts first.
 */
export async function withTimeLimit<T>(cancelled: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  cancelled.throwIfAborted();
  const { callMs } = limits.mcp;
  const soon = AbortSignal.any([cancelled, AbortSignal.timeout(callMs - GRACE_PERIOD)]);
  const late = AbortSignal.any([cancelled, AbortSignal.timeout(callMs)]);
  const over = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason), { once: true });
  });
  return Promise.race([work(soon), over]);
}
