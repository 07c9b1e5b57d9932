/** How many callers are remembered at once: a few megabytes. */
const CAPACITY = 10_000;
const MINUTE = 60_000;

export interface RateLimiter {
  /** Counts one more for a caller. 0, or the seconds until the next is taken when this one was too many. */
  take(caller: string): number;
  /** How many callers are remembered at most at the moment. */
  size(): number;
}

/**
 * At most `limit` a minute for each caller, in a minute that begins with its first. However many callers there are, the
 * memory is bounded: they are kept in two generations, and when the younger is full the older is forgotten. Whoever asks
 * is of the younger. `now` is in milliseconds and does not go back.
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
