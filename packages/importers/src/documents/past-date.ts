/** A date of a file as ISO 8601 in UTC; null if it is none, or in the future. */
export function pastDate(date: string | undefined): string | null {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) || time > Date.now() ? null : new Date(time).toISOString();
}
