/**
 * A date of a file as ISO 8601 in UTC; null if it is none, in the future, or from before files had dates, which ZIP
 * writes as 1980.
 */
export function pastDate(date: string | Date | null | undefined): string | null {
  const time = date instanceof Date ? date.getTime() : Date.parse(date ?? '');
  return Number.isNaN(time) || time > Date.now() || time < FIRST ? null : new Date(time).toISOString();
}

const FIRST = Date.UTC(1980, 0, 3);
