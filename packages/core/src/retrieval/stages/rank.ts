import type { Candidates } from '../../ports/index.js';
import type { EmbeddedQuery } from '../embed-query.js';
import { calibrate, evidenceOf } from './calibrate.js';
import { type FusedScore, fuseRankings } from './fuse.js';
import type { Hit, RankedChunk, RankingPorts } from './ranked-chunk.js';
import { rerank, scoreLate } from './rerank.js';

/**
 * Ranks what both indexes have found: convex fusion, then late interaction for the best, then the best chunk of each memory, best
 * first. The order comes from scores that are relative to the best of this query; the score of a hit is an absolute one.
 */
export async function rankCandidates(
  ports: RankingPorts,
  userId: string,
  candidates: Candidates,
  query: EmbeddedQuery | null,
): Promise<Hit[]> {
  const { text, nearest } = candidates;
  const profile = ports.embeddingModel?.profile;
  const floor = profile?.similarityFloor ?? 0;
  const evidence = evidenceOf(candidates);
  const fusion = { weight: profile?.fusionWeight ?? 0, floor, coverage: text.coverage };
  const fused = fuseRankings(evidence.text, evidence.similarity, fusion);
  const late = nearest === null ? null : await scoreLate(ports, userId, fused, query);
  const ranked = late === null ? fused : rerank(fused, late.scores, late.weight);
  const memoryOf = new Map(
    [...text.hits, ...(nearest?.hits ?? [])].map(({ chunkId, memoryId }) => [chunkId, memoryId]),
  );
  return calibrate(bestChunks(ranked, memoryOf), { ...evidence, late: late?.scores ?? null }, floor);
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
