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

interface Form {
  /** Matched against the query in lower case. Whole words. */
  pattern: string;
  /** The range in local time; null if there is none. */
  read(groups: Groups, now: Date): Range | null;
}

/** The forms that are plainly a time, the more specific ones first. A month needs a year or a word before it: "march" and "may" are other words too. */
const FORMS: readonly Form[] = [
  { pattern: 'the day before yesterday', read: (_, now) => unitsAgo('day', 2, now) },
  { pattern: 'yesterday', read: (_, now) => unitsAgo('day', 1, now) },
  { pattern: 'today', read: (_, now) => unitsAgo('day', 0, now) },
  { pattern: '(?<day>\\d{4}-\\d\\d-\\d\\d)', read: ({ day = '' }) => readDay(...numbersOf(day)) },
  {
    pattern: `(?:on )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? ${YEAR}`,
    read: ({ day, month, year }) => readDay(Number(year), MONTHS.indexOf(month ?? '') + 1, Number(day)),
  },
  {
    pattern: `(?:on )?${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? ${YEAR}`,
    read: ({ day, month, year }) => readDay(Number(year), MONTHS.indexOf(month ?? '') + 1, Number(day)),
  },
  {
    pattern: `(?:(?:(?<since>since)|in|during|from) )?${MONTH},?(?: of)? ${YEAR}`,
    read: ({ since, month, year }, now) => toNow(since, monthOf(Number(year), MONTHS.indexOf(month ?? '')), now),
  },
  {
    pattern: `(?:(?<since>since)|in|during|last) ${MONTH}`,
    read: ({ since, month }, now) => toNow(since, latestMonth(MONTHS.indexOf(month ?? ''), now), now),
  },
  {
    pattern: `(?:in )?(?:the )?(?:last|past) ${NUMBER} ${UNIT}s?`,
    read: ({ number, unit }, now) => rolling(unit, toNumber(number), now),
  },
  { pattern: `${NUMBER} ${UNIT}s? ago`, read: ({ number, unit }, now) => unitsAgo(unit, toNumber(number), now) },
  { pattern: `(?:in )?the (?:last|past) ${UNIT}`, read: ({ unit }, now) => rolling(unit, 1, now) },
  {
    pattern: `(?:last|past|previous) ${UNIT}`,
    read: ({ unit }, now) => (unit === 'day' ? null : unitsAgo(unit, 1, now)),
  },
  { pattern: `this ${UNIT}`, read: ({ unit }, now) => (unit === 'day' ? null : unitsAgo(unit, 0, now)) },
  {
    pattern: `(?:on|last) (?<weekday>${WEEKDAYS.join('|')})`,
    read: ({ weekday }, now) => unitsAgo('day', ((now.getDay() - WEEKDAYS.indexOf(weekday ?? '') + 6) % 7) + 1, now),
  },
  {
    pattern: `(?:(?<since>since)|in|during) ${YEAR}`,
    read: ({ since, year }, now) => toNow(since, yearOf(Number(year)), now),
  },
  { pattern: YEAR, read: ({ year }) => yearOf(Number(year)) },
];

const COMPILED = FORMS.map((form) => ({
  ...form,
  expression: new RegExp(`(?<![\\p{L}\\p{N}_$€£#-]|\\d\\.)(?:${form.pattern})(?![\\p{L}\\p{N}_%-]|\\.\\d| of )`, 'u'),
}));

/**
 * Finds the time that a query names in plain words, such as "yesterday", "last week", "in March" or "2025". A week begins on Monday, and
 * all is in the time zone of this machine. Null if there is none, if it has not begun, and if there are several: then it is not
 * plain which is meant.
 *
 * @example
 * findTime('what I read about bees in March', new Date('2026-11-23T12:00:00'));
 * // { words: 'in March', after: start of 1 March 2026, before: start of 1 April 2026 }
 */
export function findTime(text: string, now: Date): NamedTime | null {
  // Lower case can be longer, and then the words would be elsewhere.
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  let found: NamedTime | null = null;
  let rest = lower;
  for (const { expression, read } of COMPILED) {
    const match = expression.exec(rest);
    if (match === null) continue;
    if (found !== null) return null;
    const range = read(match.groups ?? {}, now);
    if (range === null || range[0] > now) return null;
    const words = text.slice(match.index, match.index + match[0].length).trim();
    found = { words, after: range[0].toISOString(), before: range[1].toISOString() };
    rest = `${rest.slice(0, match.index)}${' '.repeat(match[0].length)}${rest.slice(match.index + match[0].length)}`;
    if (expression.test(rest)) return null;
  }
  return found;
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
function readDay(year: number, month: number, date: number): Range | null {
  const day = new Date(year, month - 1, date);
  const isReal = year >= FIRST_YEAR && day.getMonth() === month - 1 && day.getDate() === date;
  return isReal ? [day, new Date(year, month - 1, date + 1)] : null;
}

/** @param month from 0 */
function monthOf(year: number, month: number): Range | null {
  return year < FIRST_YEAR ? null : [new Date(year, month, 1), new Date(year, month + 1, 1)];
}

/** The month of this name that is now, or was last. */
function latestMonth(month: number, now: Date): Range | null {
  return monthOf(month <= now.getMonth() ? now.getFullYear() : now.getFullYear() - 1, month);
}

function yearOf(year: number): Range | null {
  return year < FIRST_YEAR ? null : [new Date(year, 0, 1), new Date(year + 1, 0, 1)];
}

/** With "since", the range ends with today. */
function toNow(since: string | undefined, range: Range | null, now: Date): Range | null {
  return range === null || since === undefined ? range : [range[0], startOfDay(now, 1)];
}

/** A whole day, week, month or year, counted back from the current one. */
function unitsAgo(unit: string | undefined, count: number, now: Date): Range {
  const [year, month] = [now.getFullYear(), now.getMonth()];
  switch (unit) {
    case 'day':
      return [startOfDay(now, -count), startOfDay(now, 1 - count)];
    case 'week': {
      const monday = -((now.getDay() + 6) % 7) - 7 * count;
      return [startOfDay(now, monday), startOfDay(now, monday + 7)];
    }
    case 'month':
      return [new Date(year, month - count, 1), new Date(year, month - count + 1, 1)];
    default:
      return [new Date(year - count, 0, 1), new Date(year - count + 1, 0, 1)];
  }
}

/** The days, weeks, months or years until now. */
function rolling(unit: string | undefined, count: number, now: Date): Range {
  const end = startOfDay(now, 1);
  if (unit === 'day') return [startOfDay(now, -count), end];
  if (unit === 'week') return [startOfDay(now, -7 * count), end];
  return [monthsBefore(now, unit === 'month' ? count : 12 * count), end];
}

function startOfDay(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
}
