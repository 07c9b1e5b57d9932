import { limits } from '@recollect/contract/limits';

/** Milliseconds before the limit at which the work is asked to stop, so that it can still report what it has done. */
const NOTICE = 1_000;

/**
 * Runs work within the time limit of a call. The work's signal aborts shortly before the limit. Throws a `TimeoutError`
 * at the limit, or the reason of `cancelled` if that aborts first.
 */
export async function withinTime<T>(cancelled: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  cancelled.throwIfAborted();
  const { callMs } = limits.mcp;
  const soon = AbortSignal.any([cancelled, AbortSignal.timeout(callMs - NOTICE)]);
  const late = AbortSignal.any([cancelled, AbortSignal.timeout(callMs)]);
  const over = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason), { once: true });
  });
  return Promise.race([work(soon), over]);
}
