import { createPassageScorer, signsOf } from '@recollect/vector-scan';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

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

test('a passage scores what the naive implementation gives it', () => {
  fc.assert(
    fc.property(tokens, tokens, (query, passage) => {
      expect(createPassageScorer(query, DIMENSIONS)(signsOf(passage, DIMENSIONS))).toBeCloseTo(
        score(query, passage),
        4,
      );
    }),
  );
});

test('signs have one bit per component, and 0 is negative', () => {
  expect(signsOf(Float32Array.of(0.5, -0.1, 0.2, -0.3, 0, 0.1, 0.4, -0.2), 8)).toEqual(Uint8Array.of(0b01100101));
});

test('a passage without token vectors, or with those of other dimensions, has no score', () => {
  const scorePassage = createPassageScorer(new Float32Array(16).fill(0.25), 16);
  expect(scorePassage(new Uint8Array(0))).toBeNull();
  expect(scorePassage(new Uint8Array(3))).toBeNaN();
  expect(createPassageScorer(new Float32Array(0), 16)(new Uint8Array(2))).toBeNaN();
  expect(() => signsOf(new Float32Array(12), 8)).toThrow('12 components');
  expect(() => createPassageScorer(new Float32Array(12), 8)).toThrow('12 components');
});
