import { scorePassages, signsOf } from '@recollect/in-memory-index';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumInScript } from '../src/late-interaction.js';

const DIMENSIONS = 16;
const component = fc.float({ min: -1, max: 1, noNaN: true });
const tokens = fc
  .integer({ min: 1, max: 5 })
  .chain((count) => fc.array(component, { minLength: count * DIMENSIONS, maxLength: count * DIMENSIONS }))
  .map((components) => Float32Array.from(components));

/** The naive implementation: every pair of tokens, with the passage's components as signs of a vector of length 1. */
function score(query: Float32Array, passage: Float32Array): number {
  const vectors = (all: Float32Array) =>
    Array.from({ length: all.length / DIMENSIONS }, (_, at) => all.slice(at * DIMENSIONS, (at + 1) * DIMENSIONS));
  const best = vectors(query).map((token) =>
    Math.max(
      ...vectors(passage).map((other) =>
        other.reduce((sum, value, at) => sum + ((token[at] ?? 0) * (value > 0 ? 1 : -1)) / Math.sqrt(DIMENSIONS), 0),
      ),
    ),
  );
  return best.reduce((sum, value) => sum + value, 0) / best.length;
}

const passages = fc.array(tokens, { minLength: 1, maxLength: 5 });
const signs = passages.map((all) => all.map((passage) => signsOf(passage, DIMENSIONS)));

test('passages get the scores of the naive implementation', () => {
  fc.assert(
    fc.property(tokens, passages, (query, all) => {
      const found = scorePassages(
        query,
        DIMENSIONS,
        all.map((passage) => signsOf(passage, DIMENSIONS)),
      );
      expect(found).toHaveLength(all.length);
      for (const [at, passage] of all.entries()) expect(found[at]).toBeCloseTo(score(query, passage), 4);
    }),
  );
});

test('without the kernel, a script gives the same', () => {
  fc.assert(
    fc.property(tokens, signs, (query, all) => {
      const scores = scorePassages(query, DIMENSIONS, all);
      for (const [at, sum] of Array.from(sumInScript(query, DIMENSIONS, all)).entries())
        expect((sum * DIMENSIONS ** 0.5) / query.length).toBeCloseTo(scores[at] ?? Number.NaN, 4);
    }),
  );
});

test('as many passages as a long list has are scored', () => {
  const query = Float32Array.from({ length: 9 * 384 }, (_, at) => Math.sin(at));
  const many = Array.from({ length: 300 }, (_, passage) =>
    Uint8Array.from({ length: 48 * (1 + (passage % 42)) }, (_, at) => (at * 7 + passage) & 255),
  );
  const sums = sumInScript(query, 384, many);
  for (const [at, found] of scorePassages(query, 384, many).entries())
    expect(found).toBeCloseTo((sums[at] ?? 0) / Math.sqrt(384) / 9, 3);
});

test('signs have one bit per component, and 0 is negative', () => {
  expect(signsOf(Float32Array.of(0.5, -0.1, 0.2, -0.3, 0, 0.1, 0.4, -0.2), 8)).toEqual(Uint8Array.of(0b01100101));
});

test('a passage without token vectors, or with vectors of other dimensions, has no score', () => {
  const query = new Float32Array(16).fill(0.25);
  const all = [new Uint8Array(0), new Uint8Array(3), Uint8Array.of(255, 255)];
  expect(scorePassages(query, 16, all)).toEqual([null, Number.NaN, 1]);
  expect(scorePassages(new Float32Array(0), 16, all.slice(1))).toEqual([Number.NaN, Number.NaN]);
  expect(() => signsOf(new Float32Array(12), 8)).toThrow('12 components');
  expect(() => scorePassages(new Float32Array(12), 8, [])).toThrow('12 components');
});
