const DAY = 24 * 60 * 60_000;
/** Milliseconds between two looks. */
const PACE = 2_000;

/**
 * Reports when the wall clock jumps by a day or more while the server runs, which a comparison with the machine's
 * monotonic clock shows. A machine that slept looks the same, since its monotonic clock may have stood still.
 *
 * @returns a function that ends this
 */
export function watchClock(warn: (sentence: string) => void): () => void {
  const difference = () => Date.now() - performance.now();
  let known = difference();
  const timer = setInterval(() => {
    const jump = difference() - known;
    known += jump;
    const days = Math.round(Math.abs(jump) / DAY);
    if (days === 0) return;
    const direction = jump > 0 ? 'forward' : 'back';
    warn(
      `The clock jumped ${direction} by ${days} days: it was set, or the machine slept. Retention counts at most one of them.`,
    );
  }, PACE).unref();
  return () => clearInterval(timer);
}
