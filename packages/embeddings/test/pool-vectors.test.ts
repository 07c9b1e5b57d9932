import fc from 'fast-check';
import { expect, test } from 'vitest';
import { poolVectors } from '../src/pool-vectors.js';

const DIMENSIONS = 40;
const unit = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((vector) => Math.hypot(...vector) > 0.1)
  .map((vector) => vector.map((component) => component / Math.hypot(...vector)));
const units = fc.array(unit, { maxLength: 20 });
const rowsOf = (vectors: Float32Array) =>
  Array.from({ length: vectors.length / DIMENSIONS }, (_, at) =>
    Array.from(vectors.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)),
  );
const sumOf = (rows: readonly (readonly number[])[]) =>
  Array.from({ length: DIMENSIONS }, (_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0));

test('leaves at most the given number of vectors and keeps their sum', () => {
  fc.assert(
    fc.property(units, fc.integer({ min: 1, max: 25 }), (rows, most) => {
      const pooled = rowsOf(poolVectors(Float32Array.from(rows.flat()), DIMENSIONS, most));
      expect(pooled).toHaveLength(Math.min(rows.length, most));
      const sum = sumOf(rows);
      for (const [at, component] of sumOf(pooled).entries()) expect(component).toBeCloseTo(sum[at] ?? Number.NaN, 3);
    }),
  );
});

/** A vector of length 1 whose components from `start` on, `count` of them, are negative. */
const withNegatives = (start: number, count: number) =>
  Array.from({ length: DIMENSIONS }, (_, at) => (at >= start && at < start + count ? -1 : 1) / Math.sqrt(DIMENSIONS));
const pool = (rows: readonly (readonly number[])[], most: number) =>
  rowsOf(poolVectors(Float32Array.from(rows.flat()), DIMENSIONS, most)).map(
    (row) => [row.filter((component) => component < -0.01).length, Number(Math.hypot(...row).toFixed(2))] as const,
  );

test('merges similar vectors and keeps the order', () => {
  const rows = [withNegatives(0, 0), withNegatives(0, 40), withNegatives(20, 20), withNegatives(0, 2)];
  expect(pool(rows, 3)).toEqual([
    [0, 1.95],
    [40, 1],
    [20, 1],
  ]);
  const vectors = Float32Array.from(rows.flat());
  expect(poolVectors(vectors, DIMENSIONS, 4)).toBe(vectors);
});

test('of two pairs that are equally near, merges the one whose clusters are smaller', () => {
  const same = withNegatives(0, 0);
  const rows = [same, same, same, withNegatives(0, 6), withNegatives(10, 30), withNegatives(10, 24)];
  expect(pool(rows, 3).map(([negatives]) => negatives)).toEqual([0, 6, 24]);
});
