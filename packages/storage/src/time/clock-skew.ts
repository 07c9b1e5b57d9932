/** How far ahead a clock may have been corrected without counting as set back, in milliseconds. */
const TOLERANCE = 60_000;

/** The latest instant that can have been recorded by now; a later one means that the clock was set back since (REL-12). */
export function latestWritten(now: string): string {
  return new Date(Date.parse(now) + TOLERANCE).toISOString();
}
