/**
 * The days of a range in the time zone of this machine, of which `before` is the first moment that is not in it.
 *
 * @example
 * describeRange({ after: '2026-03-01T00:00:00Z', before: '2026-04-01T00:00:00Z' }, 'en-GB');
 * // '1 – 31 March 2026', in UTC
 */
export function describeRange({ after, before }: { after: string; before: string }, locale?: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  // Terminals have no thin spaces.
  return format.formatRange(new Date(after), new Date(Date.parse(before) - 1)).replace(/[\u2009\u202f]/g, ' ');
}
