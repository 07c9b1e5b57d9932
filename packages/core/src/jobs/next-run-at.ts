const MINUTE = 60_000;

/**
 * The first slot of a schedule after `now`. Slots are a whole number of intervals away from `base`, the slot that was
 * due. So a daily job keeps its time of day however late it ran, and a job that was missed many times runs once. The
 * same rule applies to a base in the future, as after the clock was set back.
 *
 * @example
 * nextRunAt('2026-01-01T07:30:00.000Z', 1_440, new Date('2026-01-08T09:00:00Z')); // '2026-01-09T07:30:00.000Z'
 */
export function nextRunAt(base: string, intervalMinutes: number, now: Date): string {
  const interval = intervalMinutes * MINUTE;
  const since = now.getTime() - Date.parse(base);
  const passed = Math.floor(since / interval) + 1;
  return new Date(Date.parse(base) + passed * interval).toISOString();
}
