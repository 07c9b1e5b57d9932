import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainMatch } from '../src/app/list/shown-excerpt.js';
import { countItems } from '../src/app/search/count-items.js';
import { monthOperators } from '../src/app/search/month-operators.js';
import type { Item } from '../src/app/state/library.js';

const item: fc.Arbitrary<Item> = fc.record({
  id: fc.uuid(),
  title: fc.string(),
  url: fc.option(fc.webUrl()),
  sourceType: fc.constantFrom('url', 'note', 'claude'),
  excerpt: fc.string(),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  capturedAt: fc
    .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  starred: fc.boolean(),
  readState: fc.constant('unread' as const),
  place: fc.constant('inbox' as const),
  minutes: fc.constant(0),
  progress: fc.constant(0),
  generatedBy: fc.constant(null),
});

describe('counts of results', () => {
  test('leave out weaker results', () => {
    const results = fc.sample(item, 3).map((one, at) => ({ ...one, score: [0.9, 0.3, 0.29][at] }));
    expect(countItems(results).total).toBe(2);
  });

  test('count each memory once per value, the most frequent first and months newest first', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), (items) => {
        const counts = countItems(items);
        const sum = (values: typeof counts.tags) => values.reduce((total, { count }) => total + count, 0);
        expect(counts.total).toBe(items.length);
        expect(sum(counts.sourceTypes)).toBe(items.length);
        expect(sum(counts.months)).toBe(items.length);
        expect(sum(counts.tags)).toBe(items.flatMap(({ tags }) => tags).length);
        expect(sum(counts.sites)).toBe(items.filter(({ url }) => url !== null).length);
        for (const values of [counts.sourceTypes, counts.tags, counts.sites]) {
          const numbers = values.map(({ count }) => count);
          expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
        }
        const months = counts.months.map(({ value }) => value);
        expect(months).toEqual([...new Set(months)].sort().reverse());
      }),
    );
  });
});

describe('a month', () => {
  test('is everything from its first day until the first day of the next one', () => {
    const format = (month: string) => monthOperators(month).map(({ name, value }) => `${name}:${value}`);
    expect(format('2026-03')).toEqual(['after:2026-03', 'before:2026-04']);
    expect(format('2026-12')).toEqual(['after:2026-12', 'before:2027-01']);
  });
});

describe('the reason of a match', () => {
  test('names words and meaning from a fifth of the score', () => {
    const reason = (text: number, meaning: number) => explainMatch({ match: { text, meaning } });
    expect(reason(0.1, 0.9)).toBe('by meaning');
    for (const text of [0.2, 0.5, 0.9]) expect(reason(text, 1 - text)).toBe('');
    expect(reason(0, 0)).toBe('');
    expect(explainMatch({})).toBe('');
  });
});
