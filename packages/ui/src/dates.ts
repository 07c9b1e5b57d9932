/**
 * Creating a formatter of Intl takes longer than a hundred calls of it, and lists format several values per row and
 * frame. So each is created once.
 */
const formatters = new Map<string, unknown>();

function once<T>(kind: string, locale: string | undefined, options: object, create: () => T): T {
  // The time zone of a laptop changes when it travels.
  const key = `${kind} ${locale ?? ''} ${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  const cached = formatters.get(key) as T | undefined;
  if (cached !== undefined) return cached;
  const created = create();
  formatters.set(key, created);
  return created;
}

/** The date format of a locale, the browser's by default. */
function dateFormat(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once('date', locale, options, () => new Intl.DateTimeFormat(locale, options));
}

/** The format of relative times of a locale, the browser's by default. */
function relativeFormat(locale: string | undefined, options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat {
  return once('relative', locale, options, () => new Intl.RelativeTimeFormat(locale, options));
}

/** The number format of a locale, the browser's by default. */
export function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return once('number', locale, options, () => new Intl.NumberFormat(locale, options));
}

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const DAY_MS = 86_400_000;

/** `narrow` is for lists, `long` for sentences. */
export type AgeStyle = 'narrow' | 'long';

/**
 * How long ago an instant was. Under a minute, and in the future, it is `just now`.
 *
 * @example
 * age('2026-05-01T10:00:00Z', Date.parse('2026-05-04T10:00:00Z'), 'en') // '3d ago'
 * age('2026-05-01T10:00:00Z', Date.parse('2026-05-04T10:00:00Z'), 'en', 'long') // '3 days ago'
 */
export function age(instant: string, now = Date.now(), locale?: string, style: AgeStyle = 'narrow'): string {
  const seconds = (now - Date.parse(instant)) / 1_000;
  const match = UNITS.find(([, length]) => seconds >= length);
  if (match === undefined) {
    const now = relative(0, 'second', locale);
    return now === 'now' ? 'just now' : now;
  }
  const [unit, length] = match;
  return relativeFormat(locale, { style }).format(-Math.floor(seconds / length), unit);
}

/**
 * An instant in local time, such as `3 May 2026, 14:02`. A date without a time is the same day in every time zone. Text
 * that is not a date in ISO 8601 is returned unchanged: `Date` would find a date even in `Volume 12`.
 */
export function longDate(instant: string, locale?: string): string {
  const date = new Date(instant);
  if (!ISO_DATE.test(instant) || Number.isNaN(date.getTime())) return instant;
  const style: Intl.DateTimeFormatOptions = instant.includes('T') ? { timeStyle: 'short' } : { timeZone: 'UTC' };
  return dateFormat(locale, { dateStyle: 'medium', ...style }).format(date);
}

/**
 * How many local days ago an instant was; after a week in longer units.
 *
 * @example
 * relativeDay('2026-05-04T06:00:00Z', Date.parse('2026-05-04T10:00:00Z'), 'en') // 'today'
 * relativeDay('2026-05-01T10:00:00Z', Date.parse('2026-05-04T10:00:00Z'), 'en') // '3 days ago'
 */
export function relativeDay(instant: string, now = Date.now(), locale?: string): string {
  const ago = dayNumber(new Date(now)) - dayNumber(new Date(instant));
  return ago < 7 ? relative(-Math.max(0, ago), 'day', locale) : age(instant, now, locale, 'long');
}

/**
 * The local day of an instant, with its year if that is not the current one.
 *
 * @example
 * shortDay('2026-08-20T10:00:00Z', Date.parse('2026-11-04T10:00:00Z'), 'en-GB') // '20 Aug'
 * shortDay('2024-08-20T10:00:00Z', Date.parse('2026-11-04T10:00:00Z'), 'en-GB') // '20 Aug 2024'
 */
export function shortDay(instant: string, now = Date.now(), locale?: string): string {
  const day = new Date(instant);
  const isThisYear = day.getFullYear() === new Date(now).getFullYear();
  return dateFormat(locale, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }).format(day);
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}|$)/;

/** Number of recent days that each get a heading. */
const MAX_DAY_HEADINGS = 14;

/**
 * The heading of the local day of an instant: today, yesterday, or the weekday and date; the month for instants more
 * than two weeks away. Omits the current year.
 *
 * @example
 * dayHeading('2026-05-03T10:00:00Z', Date.parse('2026-05-04T10:00:00Z'), 'en') // 'Yesterday'
 */
export function dayHeading(instant: string, now = Date.now(), locale?: string): string {
  const [day, today] = [new Date(instant), new Date(now)];
  const ago = dayNumber(today) - dayNumber(day);
  if (ago === 0 || ago === 1) return capitalise(relative(-ago, 'day', locale), locale);
  const isThisYear = day.getFullYear() === today.getFullYear();
  const isRecent = Math.abs(ago) <= MAX_DAY_HEADINGS;
  return dateFormat(locale, {
    ...(isRecent ? { weekday: 'long', day: 'numeric' } : {}),
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(day);
}

/**
 * The name of a month.
 *
 * @example
 * monthLabel('2026-03', 'en') // 'March 2026'
 */
export function monthLabel(month: string, locale?: string): string {
  const format = dateFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}

/** Counts days of the local calendar, which daylight saving time makes 23 or 25 hours long. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;
}

function relative(value: number, unit: Intl.RelativeTimeFormatUnit, locale?: string): string {
  return relativeFormat(locale, { numeric: 'auto' }).format(value, unit);
}

function capitalise(text: string, locale?: string): string {
  const [first = '', ...rest] = text;
  return first.toLocaleUpperCase(locale) + rest.join('');
}
