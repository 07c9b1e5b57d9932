import fc from 'fast-check';
import { expect } from 'vitest';

// `npm test` draws the same values each time, so that it fails for a change and not by chance. The long form draws new
// ones, and more of them, and a failure prints the seed that repeats it.
if (process.env.LONG !== '1') fc.configureGlobal({ seed: 20_261_124, numRuns: 30 });

// Files share a process, and Node notices a time zone that is set, but not one that is taken away again.
process.env.TZ ??= 'UTC';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Passes if a function of a size takes linear time for sizes from the given one to four times as much. */
    toTakeLinearTime(size: number): R;
  }
}

/**
 * Four times the size takes quadratic time sixteen times as long. Between them is room for the noise of a busy machine.
 */
const [FACTOR, MOST] = [4, 10];
/** Milliseconds that say nothing. Choose a size that would take quadratic time far longer. */
const SHORT = 50;
const TRIES = 5;

/** Milliseconds of processor time, since the machine may be busy with something else. */
function timeOf(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

expect.extend({
  toTakeLinearTime(run: (size: number) => unknown, size: number) {
    let [short, long, tries] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    const isLinear = () => long < Math.max(SHORT, MOST * short);
    do {
      short = Math.min(
        short,
        timeOf(() => run(size)),
      );
      long = Math.min(
        long,
        timeOf(() => run(FACTOR * size)),
      );
      tries += 1;
    } while (!isLinear() && tries < TRIES);
    const message = () => `A size of ${size} took ${short.toFixed()} ms, and four times as much ${long.toFixed()} ms.`;
    return { pass: isLinear(), message };
  },
});
