import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mixRanks } from '../src/retrieval/stages/careful.js';

const scores = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: -100, max: 100 })), {
  minLength: 1,
  maxLength: 10,
});

test('QRY-17: the new order has each result once, and results that both scores prefer come first', () => {
  fc.assert(
    fc.property(scores, (pairs) => {
      const order = mixRanks(
        pairs.map(([rank]) => rank),
        pairs.map(([, judged]) => judged),
      );
      expect(order.toSorted((a, b) => a - b)).toEqual([...pairs.keys()]);
      for (const [place, at] of order.entries())
        for (const later of order.slice(place + 1)) {
          const [a, b] = [pairs[at], pairs[later]];
          if (a === undefined || b === undefined) throw new Error('The order names no result.');
          expect(b[0] > a[0] && b[1] > a[1]).toBe(false);
        }
    }),
  );
});

test('QRY-17: both scores count for half, regardless of their ranges', () => {
  expect(mixRanks([0.9, 0.8, 0.1], [-3, 4, 1])).toEqual([1, 0, 2]);
  expect(mixRanks([0.9, 0.8, 0.1], [4, -3, 1])).toEqual([0, 1, 2]);
  expect(mixRanks([0.9, 0.5, 0.1], [2, 2, 2])).toEqual([0, 1, 2]);
  expect(mixRanks([0, 0], [1, 2])).toEqual([1, 0]);
});
