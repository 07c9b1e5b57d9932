import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuseRankings as fuse } from '../src/retrieval/stages/fuse.js';

const ALPHA = 0.45;
const fuseRankings = (text: ReadonlyMap<number, number>, vectors: ReadonlyMap<number, number> | null, coverage = 1) =>
  new Map(
    [...fuse(text, vectors, { weight: ALPHA, floor: 0, coverage })].map(([id, { score }]): [number, number] => [
      id,
      score,
    ]),
  );

const positive = fc.double({ min: 0.001, max: 50, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const ids = fc.integer({ min: 1, max: 30 });
const textScores = fc.array(fc.tuple(ids, positive)).map((entries) => new Map(entries));
const similarities = fc.array(fc.tuple(ids, cosine)).map((entries) => new Map(entries));

describe('fuseRankings', () => {
  test('handles as many values as a deep search finds', () => {
    const many = new Map(Array.from({ length: 200_000 }, (_, id) => [id, 1 + (id % 7)]));
    const fused = fuseRankings(many, many);
    expect(fused.size).toBe(200_000);
    expect(fused.get(6)).toBe(1);
  });

  test('QRY-1: every score is above 0 and at most 1', () => {
    fc.assert(
      fc.property(textScores, fc.option(similarities), (text, vectors) => {
        for (const score of fuseRankings(text, vectors).values()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('a candidate that is at least as good in both rankings gets at least the same score', () => {
    fc.assert(
      fc.property(textScores, similarities, (text, vectors) => {
        const fused = fuseRankings(text, vectors);
        for (const [a, scoreOfA] of fused) {
          for (const [b, scoreOfB] of fused) {
            const isBetter =
              (text.get(a) ?? 0) >= (text.get(b) ?? 0) &&
              Math.max(0, vectors.get(a) ?? 0) >= Math.max(0, vectors.get(b) ?? 0);
            if (isBetter) expect(scoreOfA).toBeGreaterThanOrEqual(scoreOfB);
          }
        }
      }),
    );
  });

  test('is unaffected by scaling all scores of one ranking', () => {
    fc.assert(
      fc.property(textScores, similarities, fc.double({ min: 0.1, max: 10, noNaN: true }), (text, vectors, factor) => {
        const scaled = new Map([...text].map(([id, score]) => [id, score * factor]));
        const [before, after] = [fuseRankings(text, vectors), fuseRankings(scaled, vectors)];
        for (const [id, score] of before) expect(after.get(id)).toBeCloseTo(score, 9);
      }),
    );
  });

  test('splits a score between full text and vectors', () => {
    const text = new Map([
      [1, 8],
      [2, 4],
    ]);
    const vectors = new Map([
      [2, 0.6],
      [3, 0.3],
    ]);
    const fused = fuse(text, vectors, { weight: ALPHA, floor: 0, coverage: 1 });
    expect(fused.get(1)?.textShare).toBe(1);
    expect(fused.get(2)?.textShare).toBeCloseTo(((1 - ALPHA) * 0.5) / (ALPHA + (1 - ALPHA) * 0.5));
    expect(fused.get(3)?.textShare).toBe(0);
  });

  test('matches the formula of the paper', () => {
    const fused = fuseRankings(
      new Map([
        [1, 8],
        [2, 4],
      ]),
      new Map([
        [1, 0.3],
        [2, 0.6],
        [3, -0.2],
      ]),
    );
    expect(fused.get(1)).toBeCloseTo(ALPHA * 0.5 + (1 - ALPHA) * 1);
    expect(fused.get(2)).toBeCloseTo(ALPHA * 1 + (1 - ALPHA) * 0.5);
    expect(fused.has(3)).toBe(false);
  });

  test('QRY-3: a chance match of one word does not outrank the vectors when the texts know few words of the query', () => {
    const text = new Map([[1, 2]]);
    const meaning = new Map([
      [1, 0.2],
      [2, 0.6],
    ]);
    const best = (coverage: number) => [...fuseRankings(text, meaning, coverage)].sort((a, b) => b[1] - a[1])[0]?.[0];
    expect([best(1), best(0.1)]).toEqual([1, 2]);
    expect([...fuseRankings(text, null, 0.1)]).toEqual([[1, 1]]);
  });

  test('counts only full text, undamped, without vectors', () => {
    expect([
      ...fuseRankings(
        new Map([
          [1, 8],
          [2, 4],
        ]),
        null,
      ),
    ]).toEqual([
      [1, 1],
      [2, 0.5],
    ]);
  });

  test("similarity counts from the floor of the model, and the weight is the model's", () => {
    const similarities = new Map([
      [1, 0.9],
      [2, 0.8],
      [3, 0.7],
    ]);
    const fused = fuse(new Map(), similarities, { weight: 0.6, floor: 0.7, coverage: 1 });
    expect(fused.get(1)?.score).toBeCloseTo(0.6);
    expect(fused.get(2)?.score).toBeCloseTo(0.3);
    expect(fused.has(3)).toBe(false);
  });
});
