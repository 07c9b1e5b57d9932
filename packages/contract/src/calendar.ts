import { TZDate } from '@date-fns/tz';

/** The days of a time zone. Months are from 0, as in Date. */
export interface Calendar {
  /** The beginning of a day. Days and months beyond their end are in the next month or year. */
  startOf(year: number, month: number, date: number): Date;
  /** The same instant, as a date whose parts are in the zone. */
  at(instant: Date): Date;
}

/**
 * Makes the calendar of a time zone, by default this machine's. Throws RangeError for a zone that does not exist.
 *
 * @example
 * calendarOf('Asia/Tokyo').startOf(2026, 10, 28).getTime(); // 15:00 of 27 November in UTC
 */
export function calendarOf(timeZone?: string): Calendar {
  if (timeZone === undefined)
    return { startOf: (year, month, date) => dayOf(new Date(0, 0, 1), year, month, date), at: (instant) => instant };
  if (!isTimeZone(timeZone)) throw new RangeError('There is no such time zone.');
  return {
    startOf: (year, month, date) => dayOf(new TZDate(0, 0, 1, timeZone), year, month, date),
    at: (instant) => new TZDate(instant, timeZone),
  };
}

/** Whether a text is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The constructor of Date maps years before 100 to the 20th century. */
function dayOf(start: Date, year: number, month: number, date: number): Date {
  start.setFullYear(year, month, date);
  start.setHours(0, 0, 0, 0);
  return start;
}
