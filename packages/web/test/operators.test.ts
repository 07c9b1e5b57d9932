import { joinQuery, readQuery } from '@recollect/contract/query-syntax';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { monthOperators } from '../src/app/search/month-operators.js';

const month = fc
  .tuple(fc.integer({ min: 1970, max: 2100 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, number]) => `${year}-${`${number}`.padStart(2, '0')}`);

describe('operators of a query', () => {
  test('select by time with an instant, which lists require', () => {
    fc.assert(
      fc.property(month, (value) => {
        const { since, until } = readQuery(joinQuery(monthOperators(value), '')).filter;
        expect(since).toBe(`${value}-01T00:00:00.000Z`);
        expect(new Date(until ?? '').getTime() - new Date(since ?? '').getTime()).toBeGreaterThanOrEqual(
          28 * 86_400_000,
        );
        expect(new Date(until ?? '').getUTCDate()).toBe(1);
      }),
    );
  });
});
