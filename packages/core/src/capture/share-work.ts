/** Work that several callers wait for. */
export interface SharedWork<Result> {
  /**
   * Waits for the result. When its signal aborts, a caller leaves: the others still get the result, and it is rejected
   * with the reason. The work itself is aborted once all callers have left, and the last one learns what becomes of it.
   */
  join(signal?: AbortSignal): Promise<Result>;
}

/** Starts work that several callers may wait for, each with its own signal. */
export function shareWork<Result>(work: (signal: AbortSignal) => Promise<Result>): SharedWork<Result> {
  const ending = new AbortController();
  const outcome = work(ending.signal);
  let callers = 0;
  return {
    join(signal) {
      callers += 1;
      return new Promise((resolve, reject) => {
        const leave = () => {
          callers -= 1;
          if (callers === 0) ending.abort(signal?.reason);
          else reject(signal?.reason);
        };
        const settled = () => signal?.removeEventListener('abort', leave);
        outcome.then(resolve, reject).finally(settled);
        if (signal?.aborted) leave();
        else signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
