import { isInstant, readDate } from '@recollect/contract/instant';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

test('EXP-4: accepts a stored time: UTC, years 0 to 9999', () => {
  for (const text of ['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'])
    expect([text, isInstant(text)]).toEqual([text, false]);
  for (const text of ['9999-12-31T23:59:59Z', '0000-01-01', '2026-01-31T00:30:00+01:00'])
    expect([text, isInstant(text)]).toEqual([text, true]);
});

describe('readDate', () => {
  const day = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

  test('QRY-8: a day is the same however its parts are ordered', () => {
    fc.assert(
      fc.property(day, (date) => {
        const [year = '', month = '', number = ''] = date.toISOString().slice(0, 10).split('-');
        const start = `${year}-${month}-${number}T00:00:00.000Z`;
        expect(readDate(`${year}-${month}-${number}`)).toBe(start);
        expect(readDate(`${Number(number)}.${Number(month)}.${year}`)).toBe(start);
        expect(readDate(`${year}/${Number(month)}/${number}`)).toBe(start);
        // Between slashes, either may come first.
        const isClear = Number(number) > 12 || number === month;
        expect(readDate(`${number}/${month}/${year}`)).toBe(isClear ? start : null);
        expect(readDate(`${month}/${number}/${year}`)).toBe(isClear ? start : null);
      }),
    );
  });

  test('QRY-8: a day begins at midnight where the user is', () => {
    const startIn = (timeZone: string, text: string) =>
      readDate(text, { timeZone, now: new Date('2026-11-28T20:00:00Z') });
    expect(startIn('Asia/Tokyo', '2026-11-28')).toBe('2026-11-27T15:00:00.000Z');
    expect(startIn('Asia/Tokyo', '2026')).toBe('2025-12-31T15:00:00.000Z');
    expect(startIn('Asia/Tokyo', 'today')).toBe('2026-11-28T15:00:00.000Z');
    expect(startIn('America/New_York', 'yesterday')).toBe('2026-11-27T05:00:00.000Z');
    expect(startIn('America/New_York', '2026-07')).toBe('2026-07-01T04:00:00.000Z');
    expect(startIn('Asia/Tokyo', '2026-11-28T00:00:00Z')).toBe('2026-11-28T00:00:00.000Z');
    // At this midnight, clocks went forward to one.
    expect(startIn('Africa/Cairo', '2026-04-24')).toBe('2026-04-23T22:00:00.000Z');
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'Asia/Kolkata',
      'Pacific/Apia',
      'America/St_Johns',
      'Antarctica/Troll',
    );
    const recent = fc.date({ min: new Date('1990-01-01'), max: new Date('2037-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(recent, zone, (date, timeZone) => {
        const text = date.toISOString().slice(0, 10);
        // Samoa had no 30 December 2011.
        if (text === '2011-12-30') return;
        const start = Date.parse(readDate(text, { timeZone }) ?? '');
        const dayAt = (time: number) => new Intl.DateTimeFormat('sv', { timeZone }).format(time);
        expect([dayAt(start), dayAt(start - 1) < text]).toEqual([text, true]);
      }),
    );
  });

  test('QRY-8: counts days from today where the user is', () => {
    const now = new Date(2026, 2, 15, 13, 30);
    const start = (year: number, month: number, date: number) => new Date(year, month - 1, date).toISOString();
    for (const [text, expected] of [
      ['today', start(2026, 3, 15)],
      [' Yesterday ', start(2026, 3, 14)],
      ['14d', start(2026, 3, 1)],
      ['2 weeks ago', start(2026, 3, 1)],
      ['a week ago', start(2026, 3, 8)],
      ['last month', start(2026, 2, 15)],
      ['3 months', start(2025, 12, 15)],
      ['1y', start(2025, 3, 15)],
      ['10-days-ago', start(2026, 3, 5)],
    ] as const)
      expect([text, readDate(text, { now })]).toEqual([text, expected]);
  });

  test('QRY-8: months ago is the last day of a month that is too short', () => {
    const start = (year: number, month: number, date: number) => new Date(year, month - 1, date).toISOString();
    for (const [now, text, expected] of [
      [new Date(2026, 2, 31), '1 month ago', start(2026, 2, 28)],
      [new Date(2026, 4, 31), 'last month', start(2026, 4, 30)],
      [new Date(2026, 4, 31), '3 months', start(2026, 2, 28)],
      [new Date(2028, 1, 29), '1y', start(2027, 2, 28)],
      [new Date(2026, 0, 31), '2 months ago', start(2025, 11, 30)],
    ] as const)
      expect([text, readDate(text, { now })]).toEqual([text, expected]);
  });

  test('QRY-8: is null for text that is not a date, and for an ambiguous date', () => {
    for (const text of [
      '',
      'soon',
      '5',
      '12 minutes ago',
      '5m',
      '31.13.2026',
      '30.2.2026',
      '0.1.2026',
      '1.2.26',
      '1/2/2026',
      '1.2/2026',
      '2026.1',
      '99999d',
      'yesterday evening',
    ])
      expect([text, readDate(text)]).toEqual([text, null]);
  });
});
