const MINUTE = 60_000;

/**
 * The first slot of a schedule after now. Slots lie a whole number of intervals from the one that was due, so a daily job
 * keeps its hour however late it ran, and one that was missed many times runs once. A base in the future, as after the
 * clock was put back, counts the same way.
 */
export function nextRunAt(base: string, intervalMinutes: number, now: Date): string {
  const interval = intervalMinutes * MINUTE;
  const since = now.getTime() - Date.parse(base);
  const passed = Math.floor(since / interval) + 1;
  return new Date(Date.parse(base) + passed * interval).toISOString();
}
