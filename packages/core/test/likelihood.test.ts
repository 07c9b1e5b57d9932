import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Evidence, likelihoodAcross, likelihoodOf } from '../src/retrieval/stages/likelihood.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const evidence: fc.Arbitrary<Evidence> = fc.record({
  text: fc.double({ min: 0, max: 3, noNaN: true }),
  similarity: fc.option(cosine),
  late: fc.option(cosine),
  chunks: fc.integer({ min: 0, max: 10_000_000 }),
});

test('QRY-11: a score is above 0 and at most 1', () => {
  fc.assert(
    fc.property(evidence, (given) => {
      const score = likelihoodOf(given);
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }),
  );
});

test('QRY-11: more evidence never lowers a score, and more chunks never raise it', () => {
  fc.assert(
    fc.property(evidence, share, (given, more) => {
      const score = likelihoodOf(given);
      expect(likelihoodOf({ ...given, text: given.text + more })).toBeGreaterThanOrEqual(score);
      if (given.similarity !== null)
        expect(likelihoodOf({ ...given, similarity: given.similarity + more })).toBeGreaterThanOrEqual(score);
      if (given.late !== null)
        expect(likelihoodOf({ ...given, late: given.late + more })).toBeGreaterThanOrEqual(score);
      expect(likelihoodOf({ ...given, chunks: given.chunks + 1 + Math.floor(more * 1_000) })).toBeLessThanOrEqual(
        score,
      );
    }),
  );
});

test('QRY-11: across languages, meaning alone makes a result likely, and words in common are judged as usual', () => {
  const weights = { similarity: 18, late: 26, text: -60, constant: -2.5 };
  const found = { text: 0, similarity: 0.36, late: 0.36, chunks: 240 };
  expect(likelihoodOf(found)).toBeLessThan(0.3);
  expect(likelihoodAcross(found, weights)).toBeGreaterThan(0.5);
  expect(likelihoodAcross({ ...found, text: 0.2 }, weights)).toBeLessThan(0.3);
  // Off topic.
  expect(likelihoodAcross({ ...found, similarity: 0.2, late: 0.25 }, weights)).toBeLessThan(0.1);
  for (const lacking of [{ similarity: null }, { late: null }])
    expect(likelihoodAcross({ ...found, ...lacking }, weights)).toBe(0);
});

test('QRY-11: a result with one of two words of a query scores clearly lower than one with both', () => {
  for (const meaning of [
    { similarity: null, late: null },
    { similarity: 0.35, late: null },
    { similarity: 0.35, late: 0.35 },
  ]) {
    const found = { text: 0.6, ...meaning, chunks: 1_000 };
    const [both, one] = [1, 0.5].map((coverage) => likelihoodOf({ ...found, coverage, words: 2 })) as [number, number];
    expect(both - one).toBeGreaterThan(0.2);
    expect(likelihoodOf(found)).toBe(both);
  }
});
