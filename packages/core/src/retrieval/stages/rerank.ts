import type { LateScores } from '../../ports/search.js';
import type { FusedScore } from './fuse.js';

/** Candidates that late interaction compares. */
export const MAX_RERANKED = 50;

/** The best candidates, best first. Among equals, the newer chunk comes first. */
export function bestCandidates(fused: ReadonlyMap<number, FusedScore>, count: number): number[] {
  return [...fused]
    .sort(([a, { score: scoreOfA }], [b, { score: scoreOfB }]) => scoreOfB - scoreOfA || b - a)
    .slice(0, count)
    .map(([id]) => id);
}

/**
 * The late-interaction scores of the best candidates. Null without any, and if one of them still waits for its passage
 * vectors: an order with late interaction and one without it cannot be mixed. A chunk in which the model knows no word
 * never gets a score, and counts as the worst.
 */
export function comparableScores(best: readonly number[], late: LateScores): Map<number, number> | null {
  if (best.some((id) => !late.has(id))) return null;
  const scores = new Map([...late].flatMap(([id, score]) => (score === null ? [] : [[id, score] as const])));
  return scores.size === 0 ? null : scores;
}

/**
 * Ranks the best candidates again by late interaction (`LateScores`): score = (1 − w) · fused + w · l. Here l is the
 * late score, scaled so that the least of these candidates has 0 and the greatest 1. All others have l = 0. Late scores
 * are close to each other and have no common zero, so all the best candidates need one.
 *
 * @param late the scores of the best candidates, at least one
 * @example
 * const results = new Map([[1, { score: 0.9, textShare: 1 }], [2, { score: 0.8, textShare: 0 }]]);
 * rerank(results, new Map([[1, 0.3], [2, 0.7]]), 0.3);
 * // 2 before 1: 0.86 and 0.63
 */
export function rerank(
  fused: ReadonlyMap<number, FusedScore>,
  late: ReadonlyMap<number, number>,
  weight: number,
): Map<number, FusedScore> {
  const least = Math.min(...late.values());
  const range = Math.max(...late.values()) - least;
  return new Map(
    Array.from(fused, ([id, { score, textShare }]) => {
      const lateScore = late.get(id);
      const l = lateScore === undefined || range <= 0 ? 0 : (lateScore - least) / range;
      const fromFusion = (1 - weight) * score;
      const reranked = fromFusion + weight * l;
      return [id, { score: reranked, textShare: (fromFusion * textShare) / reranked }];
    }),
  );
}
