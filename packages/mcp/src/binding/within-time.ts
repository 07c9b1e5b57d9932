import { limits } from '@recollect/contract/limits';

/** Milliseconds before the limit at which work is told to come to an end, so that it can still say what it has done. */
const NOTICE = 1_000;

/**
 * Does work within the time that one call may take; the work's signal is aborted shortly before. Throws a `TimeoutError`
 * when it is over, and the reason of `cancelled` when that comes first.
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
