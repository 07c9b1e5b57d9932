import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTime } from '../src/retrieval/time/time-in-words.js';

/** Monday, in the time zone of this machine. */
const NOW = new Date(2026, 10, 23, 15, 30);

/** The words found, with the first and the last day of the range. */
function find(text: string, now = NOW): [words: string, first: string, last: string] | null {
  const time = findTime(text, now);
  if (time === null) return null;
  const dayOf = (date: Date) =>
    [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => `${part}`.padStart(2, '0')).join('-');
  return [time.words, dayOf(new Date(time.after)), dayOf(new Date(Date.parse(time.before) - 1))];
}

test.each([
  ['the page I read yesterday', 'yesterday', '2026-11-22', '2026-11-22'],
  ['Today: bees', 'Today', '2026-11-23', '2026-11-23'],
  ['the day before yesterday', 'the day before yesterday', '2026-11-21', '2026-11-21'],
  ['kettles last week', 'last week', '2026-11-16', '2026-11-22'],
  ['this week', 'this week', '2026-11-23', '2026-11-29'],
  ['recipes from last month', 'last month', '2026-10-01', '2026-10-31'],
  ['LAST YEAR', 'LAST YEAR', '2025-01-01', '2025-12-31'],
  ['3 days ago', '3 days ago', '2026-11-20', '2026-11-20'],
  ['two weeks ago, tea', 'two weeks ago', '2026-11-09', '2026-11-15'],
  ['a month ago', 'a month ago', '2026-10-01', '2026-10-31'],
  ['in the last 7 days', 'in the last 7 days', '2026-11-16', '2026-11-23'],
  ['the past week', 'the past week', '2026-11-16', '2026-11-23'],
  ['past two months', 'past two months', '2026-09-23', '2026-11-23'],
  ['bees in March', 'in March', '2026-03-01', '2026-03-31'],
  ['in December', 'in December', '2025-12-01', '2025-12-31'],
  ['since May', 'since May', '2026-05-01', '2026-11-23'],
  ['March 2024 notes', 'March 2024', '2024-03-01', '2024-03-31'],
  ['in february 2024', 'in february 2024', '2024-02-01', '2024-02-29'],
  ['on 14 March 2026', 'on 14 March 2026', '2026-03-14', '2026-03-14'],
  ['March 1st, 2026', 'March 1st, 2026', '2026-03-01', '2026-03-01'],
  ['meeting 2026-03-14', '2026-03-14', '2026-03-14', '2026-03-14'],
  ['on Friday', 'on Friday', '2026-11-20', '2026-11-20'],
  ['last monday', 'last monday', '2026-11-16', '2026-11-16'],
  ['taxes 2025', '2025', '2025-01-01', '2025-12-31'],
  ['since 2024', 'since 2024', '2024-01-01', '2026-11-23'],
])('QRY-15: finds the time in "%s"', (text, words, first, last) => {
  expect(find(text)).toEqual([words, first, last]);
});

test.each([
  'march of the penguins',
  'what may happen',
  'this may take a while',
  'the last day of the summer',
  'ISO 8601',
  'room 2050',
  'the last week of term',
  'cost $2025',
  'version 1.2025.3 of 12025',
  'call 555-2025 or utf-2025',
  'born 1999',
  'yesterdays',
  'last weekend',
  'in 2027',
  '31 February 2026',
  'yesterday or last week',
  'between 2024 and 2025',
  'four weeks of work',
  '',
])('QRY-15: finds no time in "%s"', (text) => {
  expect(find(text)).toBeNull();
});

test('QRY-15: a month back from the 31st begins on the last day of a shorter month', () => {
  const after = (words: string, now: Date) => findTime(words, now)?.after;
  const start = (month: number, date: number) => new Date(2026, month - 1, date).toISOString();
  expect(after('past 2 months', new Date(2026, 3, 30, 12))).toBe(start(2, 28));
  expect(after('past 3 months', new Date(2026, 4, 31, 12))).toBe(start(2, 28));
});

test('QRY-15: a range is not empty, has begun, and is found in the words that name it', () => {
  const now = fc.date({ min: new Date(2020, 0, 1), max: new Date(2035, 0, 1), noInvalidDate: true });
  const named = fc.constantFrom(
    ...[
      'yesterday',
      'last week',
      'this month',
      '10 days ago',
      'past 3 years',
      'in august',
      'since june',
      'on sunday',
      '2012',
    ],
  );
  fc.assert(
    fc.property(now, named, fc.constantFrom('', 'bees ', 'İstanbul ß '), (at, words, before) => {
      const time = findTime(`${before}${words}`, at);
      expect(time?.words).toBe(words);
      expect(Date.parse(time?.after ?? '')).toBeLessThan(Date.parse(time?.before ?? ''));
      expect(Date.parse(time?.after ?? '')).toBeLessThanOrEqual(at.getTime());
    }),
  );
});

test.each(['last ', '2', 'a', '1 day ', 'in march '])('SEC-11: a query of %s only is read in linear time', (part) => {
  expect(find(part.repeat(300_000 / part.length))).toBeNull();
});

test('QRY-15: days begin where the user is', () => {
  const now = new Date('2026-11-28T20:00:00Z');
  expect(findTime('tea yesterday', now, 'Asia/Tokyo')).toMatchObject({
    after: '2026-11-27T15:00:00.000Z',
    before: '2026-11-28T15:00:00.000Z',
  });
  expect(findTime('tea in November 2026', now, 'America/New_York')).toMatchObject({
    after: '2026-11-01T04:00:00.000Z',
    before: '2026-12-01T05:00:00.000Z',
  });
  expect(findTime('tea last week', now, 'Pacific/Auckland')).toMatchObject({
    after: '2026-11-15T11:00:00.000Z',
    before: '2026-11-22T11:00:00.000Z',
  });
});
