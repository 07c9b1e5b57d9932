import type { Candidates } from '../../ports/index.js';
import { likelihoodOf } from './likelihood.js';
import type { Hit, RankedChunk } from './ranked-chunk.js';

/** What each signal says of the candidates, by the ids of their chunks. */
export interface SignalScores {
  /** BM25. */
  text: ReadonlyMap<number, number>;
  /** BM25 of a chunk in which every word of the query counts in full. */
  fullText: number;
  /** Cosines. Null without vectors. */
  similarity: ReadonlyMap<number, number> | null;
  /** Late-interaction scores of the best candidates. Null without them. */
  late: ReadonlyMap<number, number> | null;
  /** Chunks that were searched. */
  chunks: number;
}

/** What both indexes say of their candidates. */
export function evidenceOf({ text, nearest }: Candidates): Omit<SignalScores, 'late'> {
  const near = nearest?.hits ?? [];
  return {
    text: new Map([...text.scores, ...text.hits.map(({ chunkId, score }): [number, number] => [chunkId, score])]),
    fullText: text.fullScore,
    similarity:
      nearest === null
        ? null
        : new Map([
            ...nearest.similarities,
            ...near.map(({ chunkId, similarity }): [number, number] => [chunkId, similarity]),
          ]),
    chunks: text.chunks,
  };
}

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
