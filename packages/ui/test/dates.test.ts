import { age, dayHeading, longDate, monthLabel, relativeDay, shortDay } from '@recollect/ui/dates';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

const ZONES = ['UTC', 'Pacific/Kiritimati', 'America/Adak', 'Europe/Berlin', 'Asia/Kolkata'];
const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

describe('ages', () => {
  const now = Date.parse('2026-06-15T12:00:00Z');

  test.each([
    ['2026-06-15T11:59:01Z', 'just now'],
    ['2026-06-15T11:59:00Z', '1m ago'],
    ['2026-06-15T11:20:00Z', '40m ago'],
    ['2026-06-15T11:00:00Z', '1h ago'],
    ['2026-06-14T11:00:00Z', '1d ago'],
    ['2026-06-01T12:00:00Z', '2w ago'],
    ['2026-04-01T12:00:00Z', '2mo ago'],
    ['2025-01-01T00:00:00Z', '1y ago'],
    ['2027-01-01T00:00:00Z', 'just now'],
    ['not a date', 'just now'],
  ])('%s is %s', (instant, expected) => {
    expect(age(instant, now, 'en')).toBe(expected);
  });

  test('are in the language of the locale', () => {
    expect(age('2026-06-12T12:00:00Z', now, 'de')).toMatch(/^vor 3 T/);
    expect(age('2026-06-15T12:00:00Z', now, 'de')).toBe('jetzt');
  });
});

describe('days', () => {
  const now = Date.parse('2026-06-15T12:00:00Z');

  test.each([
    ['2026-06-15T00:10:00Z', '15 Jun', 'today'],
    ['2026-06-14T23:50:00Z', '14 Jun', 'yesterday'],
    ['2026-06-09T12:00:00Z', '9 Jun', '6 days ago'],
    ['2026-05-30T12:00:00Z', '30 May', '2 weeks ago'],
    ['2024-08-20T12:00:00Z', '20 Aug 2024', '1 year ago'],
    ['2026-06-16T12:00:00Z', '16 Jun', 'today'],
  ])('%s is %s, %s', (instant, day, ago) => {
    vi.stubEnv('TZ', 'UTC');
    expect([shortDay(instant, now, 'en-GB'), relativeDay(instant, now, 'en-GB')]).toEqual([day, ago]);
  });
});

describe('long dates', () => {
  test('are in local time', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    expect(longDate('2026-05-03T20:32:00Z', 'en-GB')).toBe('4 May 2026, 02:02');
  });

  test.each(ZONES)('keep a date without a time on its day in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    expect(longDate('2026-05-03', 'en-GB')).toBe('3 May 2026');
  });

  test('return other text unchanged', () => {
    for (const text of ['last spring', 'March 5, 2024', '2024/03/05', 'Volume 12', '2024', '2024-13-45'])
      expect(longDate(text, 'en')).toBe(text);
  });
});

describe('headings of days', () => {
  const local = (text: string) => new Date(text).getTime();

  test.each(ZONES)('follow the local calendar in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    const now = local('2026-03-30T00:10:00');
    // Versions of Node differ in the comma after the weekday.
    const heading = (text: string) => dayHeading(new Date(text).toISOString(), now, 'en-GB').replace(',', '');
    expect(
      ['2026-03-30T23:59:00', '2026-03-29T00:00:00', '2026-03-28T23:59:00', '2026-03-16T00:00:00'].map(heading),
    ).toEqual(['Today', 'Yesterday', 'Saturday 28 March', 'Monday 16 March']);
    expect(['2026-03-15T23:59:00', '2026-01-01T00:00:00', '2025-12-31T12:00:00'].map(heading)).toEqual([
      'March',
      'January',
      'December 2025',
    ]);
  });

  test('are in the language of the locale', () => {
    vi.stubEnv('TZ', 'UTC');
    const now = local('2026-06-15T12:00:00');
    expect(['de', 'ja', 'tr'].map((locale) => dayHeading('2026-06-15T11:00:00Z', now, locale))).toEqual([
      'Heute',
      '今日',
      'Bugün',
    ]);
  });

  test.each(ZONES)('are the same for two recent instants exactly if they are on the same local day in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    fc.assert(
      fc.property(instants, fc.integer({ min: -172_800_000, max: 172_800_000 }), fc.nat(10), (one, apart, days) => {
        const now = new Date(one.getTime() + days * 86_400_000);
        const other = new Date(one.getTime() + apart);
        const [first, second] = [one, other].map((date) => dayHeading(date.toISOString(), now.getTime(), 'en'));
        expect(first === second).toBe(one.toDateString() === other.toDateString());
      }),
    );
  });
});

test.each(ZONES)('months are named alike in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect([monthLabel('2026-03', 'en'), monthLabel('2026-12', 'de')]).toEqual(['March 2026', 'Dezember 2026']);
});
