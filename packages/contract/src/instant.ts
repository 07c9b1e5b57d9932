const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
const YEAR_OR_MONTH = /^\d{4}(-\d{2})?$/;

/** Whether a text is an existing ISO 8601 date, or date and time with time zone. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return false;
  // Date.parse reads 30 February as 2 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
}

/**
 * The start of a date that a person typed: a year, a month, a day, or a day and time with time zone. Null for any other
 * text, and for a date that does not exist.
 *
 * @example
 * readDate('2026-02') // '2026-02-01T00:00:00.000Z'
 * readDate('2026-02-30') // null
 */
export function readDate(text: string): string | null {
  if (!isInstant(text) && !YEAR_OR_MONTH.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
