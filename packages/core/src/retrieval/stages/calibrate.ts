import type { SignalScores } from './evidence.js';
import { likelihoodOf } from './likelihood.js';
import type { Hit, RankedChunk } from './ranked-chunk.js';

/**
 * Gives each hit a score that means the same for every query (QRY-11).
 *
 * @param hits best first
 * @param floor the similarity from which cosines count
 */
export function calibrate(
  hits: readonly RankedChunk[],
  { text, fullText, similarity, late, chunks }: SignalScores,
  floor: number,
): Hit[] {
  let least = 1;
  return hits.map((hit) => {
    const cosine = similarity?.get(hit.chunkId) ?? floor;
    const likelihood = likelihoodOf({
      text: fullText > 0 ? (text.get(hit.chunkId) ?? 0) / fullText : 0,
      similarity: similarity === null ? null : (cosine - floor) / Math.max(1 - floor, 1e-6),
      late: late?.get(hit.chunkId) ?? null,
      chunks,
    });
    least = Math.min(least, likelihood);
    return { ...hit, score: least };
  });
}
