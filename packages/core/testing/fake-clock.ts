import type { Clock } from '#core/ports/index.js';

export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
}

/**
 * A clock that stands still until it is advanced.
 *
 * @example
 * const clock = createFakeClock();
 * clock.advance(86_400_000); // one day later
 */
export function createFakeClock(start = '2026-01-31T12:00:00.000Z'): FakeClock {
  let now = Date.parse(start);
  return {
    now: () => new Date(now),
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
