import { type Calendar, calendarOf } from './calendar.js';

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
const YEAR_OR_MONTH = /^\d{4}(-\d{2})?$/;

/** Whether a text is an existing ISO 8601 date, or date and time with time zone, from year 0 to 9999 in UTC. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return false;
  // Other years have a sign and six digits, which is not stored.
  if (!/^\d/.test(new Date(text).toISOString())) return false;
  // Date.parse reads 30 February as 2 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
}

/** Where and when a date was typed: by default on this machine, and now. */
export interface Typed {
  timeZone?: string | undefined;
  now?: Date | undefined;
}

/**
 * The start of a date that a person typed: a year, a month, a day, or a day that is counted from today, in their time
 * zone; or a day and time with time zone. Null for any other text, for a date that does not exist, and where day and
 * month could be meant the other way round.
 *
 * @example
 * readDate('2026-02', { timeZone: 'UTC' }) // '2026-02-01T00:00:00.000Z'
 * readDate('31.12.2026', { timeZone: 'UTC' }) // '2026-12-31T00:00:00.000Z', as 31/12/2026, 12/31/2026 and 2026/12/31
 * readDate('2 weeks ago') // as yesterday, last month and 14d
 * readDate('2026-02-30') // null, as 1/2/2026
 */
export function readDate(text: string, { timeZone, now = new Date() }: Typed = {}): string | null {
  const typed = text.trim().toLowerCase();
  const calendar = calendarOf(timeZone);
  if (isInstant(text) || YEAR_OR_MONTH.test(text)) return startOf(text, calendar);
  return readNumbers(typed, calendar) ?? readWords(typed, now, calendar);
}

/**
 * The instant of a local date and time, such as `2026-01-31T09:30:00`. For a date without a time, its noon, which is on
 * the same date in UTC for nearly every time zone. The date must exist.
 */
export function onClock(dateTime: string): string {
  return new Date(dateTime.includes('T') ? dateTime : `${dateTime}T12:00:00`).toISOString();
}

function startOf(date: string, { startOf: startOfDay }: Calendar): string | null {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return null;
  if (date.includes('T')) return new Date(time).toISOString();
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return toIso(startOfDay(year, month - 1, day));
}

/** ISO 8601 in UTC. The method of a date in a zone writes the zone. */
function toIso(date: Date): string {
  return new Date(date.getTime()).toISOString();
}

/**
 * A day in figures: the year first, or the day before the month between dots, or between slashes where only one order
 * exists.
 */
function readNumbers(text: string, calendar: Calendar): string | null {
  const [, first = '', separator, second = '', third = ''] = /^(\d{1,4})([./])(\d{1,2})\2(\d{1,4})$/.exec(text) ?? [];
  const day = (year: string, month: string, date: string) => {
    const iso = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
    return isInstant(iso) ? startOf(iso, calendar) : null;
  };
  if (first.length === 4 && third.length < 3) return day(first, second, third);
  if (third.length !== 4) return null;
  if (separator === '.') return day(third, second, first);
  const [dayFirst, monthFirst] = [day(third, second, first), day(third, first, second)];
  return dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst ? null : (dayFirst ?? monthFirst);
}

/**
 * The day that is so many months before, at its beginning: the last day of its month where the month is too short. A
 * month before 31 March is 28 February.
 */
export function monthsBefore(day: Date, count: number, { at, startOf }: Calendar): Date {
  const local = at(day);
  const [year, month] = [local.getFullYear(), local.getMonth() - count];
  const last = startOf(year, month + 1, 0).getDate();
  return startOf(year, month, Math.min(local.getDate(), last));
}

/** How many days or months a unit has. */
const UNITS: Readonly<Record<string, { days?: number; months?: number }>> = {
  d: { days: 1 },
  w: { days: 7 },
  m: { months: 1 },
  y: { months: 12 },
};

/** A day that is counted from today. */
function readWords(text: string, now: Date, calendar: Calendar): string | null {
  const [, number, unit] =
    text === 'today'
      ? ['', '0', 'd']
      : text === 'yesterday'
        ? ['', '1', 'd']
        : (/^(\d{1,4}|an?|last)[ -]?([dwy]|days?|weeks?|months?|years?)(?:[ -]ago)?$/.exec(text) ?? []);
  if (number === undefined || unit === undefined) return null;
  const count = /\d/.test(number) ? Number(number) : 1;
  const { days = 0, months = 0 } = UNITS[unit.charAt(0)] ?? {};
  const from = monthsBefore(now, count * months, calendar);
  const day = calendar.startOf(from.getFullYear(), from.getMonth(), from.getDate() - count * days);
  return Number.isNaN(day.getTime()) ? null : toIso(day);
}
