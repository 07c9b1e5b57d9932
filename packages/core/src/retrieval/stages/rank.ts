import type { Candidates, EmbeddingModel } from '../../ports/index.js';
import { calibrate } from './calibrate.js';
import { evidenceOf } from './evidence.js';
import { type FusedScore, fuseRankings } from './fuse.js';
import type { Hit, RankedChunk } from './ranked-chunk.js';
import { lateScores, rerank } from './rerank.js';

/**
 * Ranks the hits of both indexes: convex fusion, then late interaction for the best, then the best chunk of each
 * memory, best first. The order comes from scores that are relative to the best of this query;
 * the score of a hit is an absolute one.
 */
export function rankCandidates(model: EmbeddingModel | null, candidates: Candidates): Hit[] {
  const { text, nearest } = candidates;
  const floor = model?.profile.similarityFloor ?? 0;
  const evidence = evidenceOf(candidates);
  const fusion = { weight: model?.profile.fusionWeight ?? 0, floor, coverage: text.coverage };
  const fused = fuseRankings(evidence.text, evidence.similarity, fusion);
  const late = lateScores(fused, candidates.late);
  const ranked = late === null ? fused : rerank(fused, late, model?.late?.weight ?? 0);
  const memoryOf = new Map(
    [...text.hits, ...(nearest?.hits ?? [])].map(({ chunkId, memoryId }) => [chunkId, memoryId]),
  );
  return calibrate(bestChunks(ranked, memoryOf), { ...evidence, late }, model?.profile ?? null);
}

/** The best chunk of each memory, best memory first. On equal scores the newer memory comes first. */
function bestChunks(ranked: ReadonlyMap<number, FusedScore>, memoryOf: ReadonlyMap<number, string>): RankedChunk[] {
  const best = new Map<string, RankedChunk>();
  for (const [chunkId, { score: rank, textShare }] of ranked) {
    const memoryId = memoryOf.get(chunkId);
    if (memoryId === undefined || rank <= (best.get(memoryId)?.rank ?? 0)) continue;
    best.set(memoryId, { chunkId, memoryId, rank, textShare });
  }
  return [...best.values()].sort((a, b) => b.rank - a.rank || (a.memoryId < b.memoryId ? 1 : -1));
}
