/** Milliseconds that an instant may lie ahead of the clock without the clock counting as set back. */
const TOLERANCE = 60_000;

/** The latest plausible recorded instant. A later one means that the clock has been set back since (REL-12). */
export function latestPlausible(now: string): string {
  return new Date(Date.parse(now) + TOLERANCE).toISOString();
}
