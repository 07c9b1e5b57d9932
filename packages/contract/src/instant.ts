const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
const YEAR_OR_MONTH = /^\d{4}(-\d{2})?$/;

/** Whether a text is an ISO 8601 date, or date and time with its zone, that exists. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return false;
  // Date.parse takes 30 February for 2 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
}

/**
 * The instant at which a date begins that a person has typed: a year, a month, a day, or a day and time with its zone. Null for
 * any other text, and for a date that does not exist.
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
