import { type Calendar, calendarOf } from '@recollect/contract/calendar';
import { monthsBefore } from '@recollect/contract/instant';

/** A time that a query names, as a range of when memories were saved. */
export interface NamedTime {
  /** The words that name it, as typed. */
  words: string;
  /** Its first moment, ISO 8601 in UTC. */
  after: string;
  /** The moment after its end. */
  before: string;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

const MONTH = `(?<month>${MONTHS.join('|')})`;
const YEAR = String.raw`(?<year>20\d\d)`;
const NUMBER = String.raw`(?<number>\d{1,3}|an?|${NUMBERS.slice(1).join('|')})`;
const UNIT = '(?<unit>day|week|month|year)';

/** Earlier numbers are seldom the year of a capture. */
const FIRST_YEAR = 2005;

type Range = [from: Date, to: Date];
type Groups = Readonly<Record<string, string | undefined>>;

/** The current instant, and the calendar of the user. */
interface Today extends Calendar {
  now: Date;
}

interface Form {
  /** Matched against the query in lower case. Whole words. */
  pattern: string;
  /** The range in local time; null if there is none. */
  read(groups: Groups, today: Today): Range | null;
}

/**
 * Unambiguous forms of a time, the more specific first. A month needs a year or a word before it:
 * "march" and "may" have other meanings.
 */
const FORMS: readonly Form[] = [
  { pattern: 'the day before yesterday', read: (_, today) => unitsAgo('day', 2, today) },
  { pattern: 'yesterday', read: (_, today) => unitsAgo('day', 1, today) },
  { pattern: 'today', read: (_, today) => unitsAgo('day', 0, today) },
  { pattern: '(?<day>\\d{4}-\\d\\d-\\d\\d)', read: ({ day = '' }, today) => readDay(today, ...numbersOf(day)) },
  {
    pattern: `(?:on )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? ${YEAR}`,
    read: ({ day, month, year }, today) => readDay(today, Number(year), MONTHS.indexOf(month ?? '') + 1, Number(day)),
  },
  {
    pattern: `(?:on )?${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? ${YEAR}`,
    read: ({ day, month, year }, today) => readDay(today, Number(year), MONTHS.indexOf(month ?? '') + 1, Number(day)),
  },
  {
    pattern: `(?:(?:(?<since>since)|in|during|from) )?${MONTH},?(?: of)? ${YEAR}`,
    read: ({ since, month, year }, today) =>
      toNow(since, monthOf(today, Number(year), MONTHS.indexOf(month ?? '')), today),
  },
  {
    pattern: `(?:(?<since>since)|in|during|last) ${MONTH}`,
    read: ({ since, month }, today) => toNow(since, latestMonth(MONTHS.indexOf(month ?? ''), today), today),
  },
  {
    pattern: `(?:in )?(?:the )?(?:last|past) ${NUMBER} ${UNIT}s?`,
    read: ({ number, unit }, today) => rolling(unit, toNumber(number), today),
  },
  { pattern: `${NUMBER} ${UNIT}s? ago`, read: ({ number, unit }, today) => unitsAgo(unit, toNumber(number), today) },
  { pattern: `(?:in )?the (?:last|past) ${UNIT}`, read: ({ unit }, today) => rolling(unit, 1, today) },
  {
    pattern: `(?:last|past|previous) ${UNIT}`,
    read: ({ unit }, today) => (unit === 'day' ? null : unitsAgo(unit, 1, today)),
  },
  { pattern: `this ${UNIT}`, read: ({ unit }, today) => (unit === 'day' ? null : unitsAgo(unit, 0, today)) },
  {
    pattern: `(?:on|last) (?<weekday>${WEEKDAYS.join('|')})`,
    read: ({ weekday }, today) =>
      unitsAgo('day', ((today.now.getDay() - WEEKDAYS.indexOf(weekday ?? '') + 6) % 7) + 1, today),
  },
  {
    pattern: `(?:(?<since>since)|in|during) ${YEAR}`,
    read: ({ since, year }, today) => toNow(since, yearOf(today, Number(year)), today),
  },
  { pattern: YEAR, read: ({ year }, today) => yearOf(today, Number(year)) },
];

const COMPILED = FORMS.map((form) => ({
  ...form,
  expression: new RegExp(`(?<![\\p{L}\\p{N}_$€£#-]|\\d\\.)(?:${form.pattern})(?![\\p{L}\\p{N}_%-]|\\.\\d| of )`, 'u'),
}));

/**
 * Finds the time that a query names in plain words, such as "yesterday", "last week", "in March" or "2025". A week
 * begins on Monday, and days begin in the given time zone, by default this machine's. Null if the query names no time,
 * a future time, or several, which is ambiguous.
 *
 * @example
 * findTime('what I read about bees in March', new Date('2026-11-23T12:00:00'));
 * // { words: 'in March', after: start of 1 March 2026, before: start of 1 April 2026 }
 */
export function findTime(text: string, now: Date, timeZone?: string): NamedTime | null {
  const calendar = calendarOf(timeZone);
  const today = { ...calendar, now: calendar.at(now) };
  // Lower case can be longer, and then the words would be elsewhere.
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  let namedTime: NamedTime | null = null;
  let rest = lower;
  for (const { expression, read } of COMPILED) {
    const match = expression.exec(rest);
    if (match === null) continue;
    if (namedTime !== null) return null;
    const range = read(match.groups ?? {}, today);
    if (range === null || range[0] > now) return null;
    const words = text.slice(match.index, match.index + match[0].length).trim();
    namedTime = { words, after: toIso(range[0]), before: toIso(range[1]) };
    rest = `${rest.slice(0, match.index)}${' '.repeat(match[0].length)}${rest.slice(match.index + match[0].length)}`;
    if (expression.test(rest)) return null;
  }
  return namedTime;
}

function toNumber(text = ''): number {
  if (/\d/.test(text)) return Number(text);
  return text.startsWith('a') ? 1 : NUMBERS.indexOf(text);
}

function numbersOf(day: string): [number, number, number] {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return [year, month, date];
}

/** @param month from 1 */
function readDay({ startOf }: Today, year: number, month: number, date: number): Range | null {
  const day = startOf(year, month - 1, date);
  const isReal = year >= FIRST_YEAR && day.getMonth() === month - 1 && day.getDate() === date;
  return isReal ? [day, startOf(year, month - 1, date + 1)] : null;
}

/** @param month from 0 */
function monthOf({ startOf }: Today, year: number, month: number): Range | null {
  return year < FIRST_YEAR ? null : [startOf(year, month, 1), startOf(year, month + 1, 1)];
}

/** The month of this name that is now, or was last. */
function latestMonth(month: number, today: Today): Range | null {
  const { now } = today;
  return monthOf(today, month <= now.getMonth() ? now.getFullYear() : now.getFullYear() - 1, month);
}

function yearOf({ startOf }: Today, year: number): Range | null {
  return year < FIRST_YEAR ? null : [startOf(year, 0, 1), startOf(year + 1, 0, 1)];
}

/** With "since", the range ends with today. */
function toNow(since: string | undefined, range: Range | null, today: Today): Range | null {
  return range === null || since === undefined ? range : [range[0], startOfDay(today, 1)];
}

/** A whole day, week, month or year, counted back from the current one. */
function unitsAgo(unit: string | undefined, count: number, today: Today): Range {
  const { now, startOf } = today;
  const [year, month] = [now.getFullYear(), now.getMonth()];
  switch (unit) {
    case 'day':
      return [startOfDay(today, -count), startOfDay(today, 1 - count)];
    case 'week': {
      const monday = -((now.getDay() + 6) % 7) - 7 * count;
      return [startOfDay(today, monday), startOfDay(today, monday + 7)];
    }
    case 'month':
      return [startOf(year, month - count, 1), startOf(year, month - count + 1, 1)];
    default:
      return [startOf(year - count, 0, 1), startOf(year - count + 1, 0, 1)];
  }
}

/** The days, weeks, months or years until now. */
function rolling(unit: string | undefined, count: number, today: Today): Range {
  const end = startOfDay(today, 1);
  if (unit === 'day') return [startOfDay(today, -count), end];
  if (unit === 'week') return [startOfDay(today, -7 * count), end];
  return [monthsBefore(today.now, unit === 'month' ? count : 12 * count, today), end];
}

function startOfDay({ now, startOf }: Today, days: number): Date {
  return startOf(now.getFullYear(), now.getMonth(), now.getDate() + days);
}

/** ISO 8601 in UTC. The method of a date in a zone writes the zone. */
function toIso(date: Date): string {
  return new Date(date.getTime()).toISOString();
}
