import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextRunAt } from '../src/plugins/run-job.js';

const MINUTE = 60_000;
const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

describe('nextRunAt', () => {
  test('PLG-5, REL-12: returns the first slot after now, at whole intervals from the base, even if the clock was changed', () => {
    fc.assert(
      fc.property(instant, instant, fc.integer({ min: 1, max: 525_600 }), (base, now, interval) => {
        const next = Date.parse(nextRunAt(base.toISOString(), interval, now));
        expect(next).toBeGreaterThan(now.getTime());
        expect(next - now.getTime()).toBeLessThanOrEqual(interval * MINUTE);
        expect(Math.abs((next - base.getTime()) % (interval * MINUTE))).toBe(0);
      }),
    );
  });

  test('PLG-5: a daily job that was missed for a week keeps its time of day', () => {
    expect(nextRunAt('2026-01-01T07:30:00.000Z', 1_440, new Date('2026-01-08T09:00:00.000Z'))).toBe(
      '2026-01-09T07:30:00.000Z',
    );
    expect(nextRunAt('2026-01-01T07:30:00.000Z', 1_440, new Date('2026-01-01T07:30:00.000Z'))).toBe(
      '2026-01-02T07:30:00.000Z',
    );
  });

  test('PLG-5: ignores daylight saving time', () => {
    // Clocks in Berlin went forward on 29 March 2026; the interval is minutes.
    expect(nextRunAt('2026-03-28T07:30:00.000Z', 1_440, new Date('2026-03-29T07:29:00.000Z'))).toBe(
      '2026-03-29T07:30:00.000Z',
    );
  });
});
