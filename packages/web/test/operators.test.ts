import { clients, sourceTypes } from '@recollect/contract/vocabulary';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { monthOperators } from '../src/app/search/month-operators.js';
import {
  formatOperator,
  joinQuery,
  type Operator,
  splitQuery,
  toFilter,
  withOperator,
} from '../src/app/search/operators.js';

const text = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((value) => value.trim() !== '' && !value.includes('"'));
const month = fc
  .tuple(fc.integer({ min: 1970, max: 2100 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, number]) => `${year}-${`${number}`.padStart(2, '0')}`);
const operator: fc.Arbitrary<Operator> = fc.oneof(
  fc.record({ name: fc.constant('tag' as const), value: text }),
  fc.record({ name: fc.constant('site' as const), value: fc.domain() }),
  fc.record({ name: fc.constant('source' as const), value: fc.constantFrom(...sourceTypes) }),
  fc.record({ name: fc.constant('by' as const), value: fc.constantFrom(...clients) }),
  fc.record({ name: fc.constantFrom('after' as const, 'before' as const), value: month }),
);
const words = fc.array(fc.stringMatching(/^[a-zé橋]{1,8}$/), { maxLength: 4 }).map((all) => all.join(' '));

describe('operators of a query', () => {
  test('are split from the words, and joined again to the same query', () => {
    fc.assert(
      fc.property(fc.array(operator, { maxLength: 4 }), words, (operators, typed) => {
        expect(splitQuery(joinQuery(operators, typed))).toEqual({ operators, words: typed });
      }),
    );
  });

  test('of any text mean the same after joining', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('tag:', 'tag:"', '"', ' ', 'site:a', 'after:2026', ':'),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (query) => {
          const { operators, words: rest } = splitQuery(query);
          expect(splitQuery(joinQuery(operators, rest))).toEqual({ operators, words: rest });
        },
      ),
    );
  });

  test('with a value that cannot be are words', () => {
    for (const query of [
      'after:soon',
      'before:2026-02-30',
      'source:fax',
      'by:nobody',
      'tag:""',
      'tag:',
      'see https://a.example',
    ])
      expect(splitQuery(query), query).toEqual({ operators: [], words: query });
  });

  test('take names in any case, and values in quotation marks', () => {
    expect(splitQuery('TAG:"to read" tea Site:a.example')).toEqual({
      operators: [
        { name: 'tag', value: 'to read' },
        { name: 'site', value: 'a.example' },
      ],
      words: 'tea',
    });
    expect(formatOperator({ name: 'tag', value: 'to read' })).toBe('tag:"to read"');
  });

  test('of one name replace each other', () => {
    const [one, two] = [{ name: 'tag', value: 'a' } as const, { name: 'tag', value: 'b' } as const];
    expect(withOperator([one, { name: 'site', value: 's' }], two)).toEqual([{ name: 'site', value: 's' }, two]);
    expect(toFilter([one, two]).tag).toBe('b');
  });

  test('select by time with an instant, which lists require', () => {
    fc.assert(
      fc.property(month, (value) => {
        const { since, until } = toFilter(monthOperators(value));
        expect(since).toBe(`${value}-01T00:00:00.000Z`);
        expect(new Date(until ?? '').getTime() - new Date(since ?? '').getTime()).toBeGreaterThanOrEqual(
          28 * 86_400_000,
        );
        expect(new Date(until ?? '').getUTCDate()).toBe(1);
      }),
    );
    expect(toFilter([])).toEqual({
      tag: undefined,
      site: undefined,
      sourceType: undefined,
      since: null,
      until: null,
      by: undefined,
    });
  });
});
