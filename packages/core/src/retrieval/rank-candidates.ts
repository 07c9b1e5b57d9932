import type { CorePorts } from '../core-ports.js';
import type { Candidates } from '../ports/index.js';
import type { EmbeddedQuery } from './embed-query.js';
import { type FusedScore, fuseRankings } from './fuse-rankings.js';
import { likelihoodOf } from './likelihood.js';
import { bestCandidates, RERANKED, rerank } from './rerank.js';

export type RankingPorts = Pick<CorePorts, 'hybridIndex' | 'embeddingModel'>;

/** A memory that was found, by its best chunk. */
export interface Hit {
  chunkId: number;
  memoryId: string;
  /** How likely it answers the query (`likelihoodOf`), in (0, 1). Never more than that of a better hit. */
  score: number;
  /** The share of full text in its rank, from 0 to 1. The rest comes from vectors. */
  textShare: number;
  /** What decided its place, relative to the other hits of this query. */
  rank: number;
}

/**
 * Ranks what both indexes have found: convex fusion, then late interaction for the best. Returns the best chunk of each memory, best
 * first. The order comes from scores that are relative to the best of this query; the score of a hit is an absolute one.
 */
export async function rankCandidates(
  ports: RankingPorts,
  userId: string,
  { text, nearest }: Candidates,
  query: EmbeddedQuery | null,
): Promise<Hit[]> {
  const profile = ports.embeddingModel?.profile;
  const floor = profile?.similarityFloor ?? 0;
  const near = nearest?.hits ?? [];
  const textOf = new Map([
    ...text.scores,
    ...text.hits.map(({ chunkId, score }): [number, number] => [chunkId, score]),
  ]);
  const similarityOf =
    nearest === null
      ? null
      : new Map([
          ...nearest.similarities,
          ...near.map(({ chunkId, similarity }): [number, number] => [chunkId, similarity]),
        ]);
  const fusion = { weight: profile?.fusionWeight ?? 0, floor, coverage: text.coverage };
  const fused = fuseRankings(textOf, similarityOf, fusion);
  const late = nearest === null ? null : await scoreLate(ports, userId, fused, query);
  const ranked = late === null ? fused : rerank(fused, late.scores, late.weight);
  const memoryOf = new Map([...text.hits, ...near].map(({ chunkId, memoryId }) => [chunkId, memoryId]));
  let least = 1;
  return bestChunks(ranked, memoryOf).map(({ chunkId, memoryId, textShare, score: rank }) => {
    const similarity =
      similarityOf === null ? null : ((similarityOf.get(chunkId) ?? floor) - floor) / Math.max(1 - floor, 1e-6);
    const evidence = {
      text: text.fullScore > 0 ? (textOf.get(chunkId) ?? 0) / text.fullScore : 0,
      similarity,
      late: late?.scores.get(chunkId) ?? null,
      chunks: text.chunks,
    };
    least = Math.min(least, likelihoodOf(evidence));
    return { chunkId, memoryId, score: least, textShare, rank };
  });
}

/**
 * The late-interaction scores of the best candidates, with their weight. Null if one of them still waits for its passage vectors: an
 * order with late interaction and one without it cannot be mixed. A chunk in which the model knows no word never gets a score, and
 * counts as the worst.
 */
async function scoreLate(
  { hybridIndex, embeddingModel }: RankingPorts,
  userId: string,
  fused: ReadonlyMap<number, FusedScore>,
  query: EmbeddedQuery | null,
): Promise<{ scores: ReadonlyMap<number, number>; weight: number } | null> {
  if (embeddingModel?.late === undefined || query === null || query.tokens === null) return null;
  const candidates = bestCandidates(fused, RERANKED);
  const { tokens } = query;
  const found = await hybridIndex.scorePassages(userId, { modelId: embeddingModel.id, tokens }, candidates);
  if (found.size < candidates.length) return null;
  const scores = new Map([...found].flatMap(([id, score]) => (score === null ? [] : [[id, score] as const])));
  return scores.size === 0 ? null : { scores, weight: embeddingModel.late.weight };
}

/** The best chunk of each memory, best memory first. On equal scores the newer memory comes first. */
function bestChunks(
  ranked: ReadonlyMap<number, FusedScore>,
  memoryOf: ReadonlyMap<number, string>,
): (FusedScore & { chunkId: number; memoryId: string })[] {
  const best = new Map<string, FusedScore & { chunkId: number; memoryId: string }>();
  for (const [chunkId, fused] of ranked) {
    const memoryId = memoryOf.get(chunkId);
    if (memoryId === undefined || fused.score <= (best.get(memoryId)?.score ?? 0)) continue;
    best.set(memoryId, { chunkId, memoryId, ...fused });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.memoryId < b.memoryId ? 1 : -1));
}
