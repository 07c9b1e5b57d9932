/** How many callers are remembered at once: about 2 MB. */
const CAPACITY = 10_000;
const WINDOW = 60_000;

export interface RateLimiter {
  /** Counts one more for a caller. 0, or the seconds until the next is taken when this one was too many. */
  take(caller: string): number;
  /** How many callers are remembered. */
  size(): number;
}

/**
 * At most `limit` a minute for each caller, in a minute that begins with its first. However many callers there are, the
 * memory is bounded: windows are all as long as each other, so a map keeps them in the order in which they end, and the
 * oldest go first. `now` is in milliseconds and does not go back.
 */
export function createRateLimiter(limit: number, now: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, { endsAt: number; count: number }>();

  const forget = (time: number) => {
    for (const [caller, { endsAt }] of windows) {
      if (endsAt > time && windows.size < CAPACITY) return;
      windows.delete(caller);
    }
  };

  return {
    take(caller) {
      const time = now();
      const window = windows.get(caller);
      if (window === undefined || window.endsAt <= time) {
        windows.delete(caller);
        forget(time);
        windows.set(caller, { endsAt: time + WINDOW, count: 1 });
        return 0;
      }
      window.count += 1;
      return window.count <= limit ? 0 : Math.max(1, Math.ceil((window.endsAt - time) / 1_000));
    },
    size: () => windows.size,
  };
}
