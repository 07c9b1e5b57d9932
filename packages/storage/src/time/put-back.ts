/** How far ahead a clock may have been set right without that counting as put back, in milliseconds. */
const TOLERANCE = 60_000;

/** The instant after which nothing can have been written by now, unless the clock was put back since (REL-12). */
export function latestWritten(now: string): string {
  return new Date(Date.parse(now) + TOLERANCE).toISOString();
}
