import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestCandidates, rerank } from '../src/retrieval/stages/rerank.js';

const share = fc.double({ min: 0.001, max: 1, noNaN: true });
const fused = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.record({ score: share, textShare: share })), { minLength: 1 })
  .map((entries) => new Map(entries));
const late = fc.double({ min: -1, max: 1, noNaN: true });

test('QRY-1: scores stay above 0 and at most 1, and shares of them between 0 and 1', () => {
  fc.assert(
    fc.property(fused, fc.array(late, { minLength: 30, maxLength: 30 }), share, (scores, found, weight) => {
      const best = bestCandidates(scores, 10);
      const reranked = rerank(scores, new Map(best.map((id, at) => [id, found[at] ?? 0])), weight * 0.9);
      expect(reranked.size).toBe(scores.size);
      for (const { score, textShare } of reranked.values()) {
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(textShare).toBeGreaterThanOrEqual(0);
        expect(textShare).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('a candidate that is at least as good both ways stays at least as good', () => {
  fc.assert(
    fc.property(fused, fc.array(late, { minLength: 30, maxLength: 30 }), (scores, found) => {
      const best = bestCandidates(scores, 30);
      const lateOf = new Map(best.map((id, at) => [id, found[at] ?? 0]));
      const reranked = rerank(scores, lateOf, 0.3);
      const of = (map: ReadonlyMap<number, { score: number }>, id: number) => map.get(id)?.score ?? 0;
      for (const a of best) {
        for (const b of best) {
          if (of(scores, a) >= of(scores, b) && (lateOf.get(a) ?? 0) >= (lateOf.get(b) ?? 0))
            expect(of(reranked, a)).toBeGreaterThanOrEqual(of(reranked, b) - 1e-12);
        }
      }
    }),
  );
});

test('the best candidates come first, and among equals the newer one', () => {
  const scores = new Map([1, 2, 3, 4].map((id) => [id, { score: id === 2 ? 0.9 : 0.5, textShare: 1 }]));
  expect(bestCandidates(scores, 3)).toEqual([2, 4, 3]);
});

test('a candidate whose words match better overtakes one that is slightly better otherwise', () => {
  const scores = new Map([
    [1, { score: 0.9, textShare: 1 }],
    [2, { score: 0.8, textShare: 0.5 }],
  ]);
  const reranked = rerank(scores, new Map([[1, 0.3], [2, 0.7]]), 0.3); // biome-ignore format: pairs are read as such
  expect(reranked.get(1)?.score).toBeCloseTo(0.63);
  expect(reranked.get(2)?.score).toBeCloseTo(0.86);
  expect(reranked.get(2)?.textShare).toBeCloseTo((0.7 * 0.8 * 0.5) / 0.86);
});
