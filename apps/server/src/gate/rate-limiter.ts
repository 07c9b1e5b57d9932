/** Maximum number of callers in memory, which take a few megabytes. */
const CAPACITY = 10_000;
const MINUTE = 60_000;

export interface RateLimiter {
  /** Counts a request of a caller. Returns 0 if it is allowed, else the seconds until the next one is. */
  take(caller: string): number;
  /** Upper bound of the number of callers in memory now. */
  size(): number;
}

/**
 * Allows each caller `limit` requests per minute, where a minute begins with the first request. Memory is bounded for
 * any number of callers: there are two generations, and when the younger is full, the older is dropped. A request moves
 * its caller to the younger. `now` is in milliseconds and does not go back.
 */
export function createRateLimiter(limit: number, now: () => number = () => performance.now()): RateLimiter {
  let young = new Map<string, { endsAt: number; count: number }>();
  let old: typeof young = new Map();

  return {
    take(caller) {
      const time = now();
      let window = young.get(caller) ?? old.get(caller);
      if (window === undefined || window.endsAt <= time) window = { endsAt: time + MINUTE, count: 0 };
      window.count += 1;
      young.set(caller, window);
      if (young.size >= CAPACITY / 2) [young, old] = [new Map(), young];
      return window.count <= limit ? 0 : Math.max(1, Math.ceil((window.endsAt - time) / 1_000));
    },
    size: () => young.size + old.size,
  };
}
