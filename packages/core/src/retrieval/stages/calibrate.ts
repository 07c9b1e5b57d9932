import type { ModelProfile } from '../../ports/index.js';
import type { SignalScores } from './evidence.js';
import { likelihoodAcross, likelihoodOf } from './likelihood.js';
import type { Hit, RankedChunk } from './ranked-chunk.js';

/**
 * Gives each hit a score that means the same for every query (QRY-11).
 *
 * @param hits best first
 * @param model that made the vectors; null without one
 */
export function calibrate(
  hits: readonly RankedChunk[],
  { text, fullText, weights, similarity, late, chunks }: SignalScores,
  model: ModelProfile | null,
): Hit[] {
  const floor = model?.similarityFloor ?? 0;
  const across = model?.acrossLanguages;
  let least = 1;
  return hits.map((hit) => {
    const cosine = similarity?.get(hit.chunkId) ?? floor;
    const found = {
      text: fullText > 0 ? (text.get(hit.chunkId) ?? 0) / fullText : 0,
      similarity: similarity === null ? null : (cosine - floor) / Math.max(1 - floor, 1e-6),
      late: late?.get(hit.chunkId) ?? null,
      chunks,
    };
    const inOther = across === undefined ? 0 : likelihoodAcross(found, across);
    least = Math.min(least, Math.max(likelihoodOf(found), inOther));
    const scoreWith = (has: (term: number) => boolean) =>
      Math.max(likelihoodOf({ ...found, coverage: coverageOf(weights, has), words: weights.length }), inOther);
    return { ...hit, score: least, scoreWith };
  });
}

/** The share of the query's terms, weighted by their rarity, that a text has. */
function coverageOf(weights: readonly number[], has: (term: number) => boolean): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return whole === 0 ? 1 : weights.reduce((sum, weight, term) => (has(term) ? sum + weight : sum), 0) / whole;
}
