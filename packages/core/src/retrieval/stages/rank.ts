import type { Candidates, LateScores, RankedHit, RankedHits, TitledMemory, VectorRanking } from '../../ports/search.js';
import { type FusedScore, fuseRankings } from './fuse.js';
import { bestCandidates, comparableScores, MAX_RERANKED, rerank } from './rerank.js';

/** Candidates in the order of convex fusion, which late interaction may change. */
export interface Fusion {
  /** The chunks that late interaction compares, best first. */
  best: readonly number[];
  /** Ranks the candidates by fusion and, if there are scores for all the best, late interaction. */
  rank(late: LateScores): RankedHits;
}

/**
 * Fuses the hits of both indexes, in the thread that found them: the passage vectors of the best are where the
 * candidates are.
 *
 * @param ranking null if the query was not embedded
 * @param limit how many hits of each index were asked for
 */
export function fuseCandidates({ text, nearest }: Candidates, ranking: VectorRanking | null, limit: number): Fusion {
  const { weight, floor, late: lateQuery } = ranking ?? WITHOUT_VECTORS;
  const words = new Map([...text.scores, ...text.hits.map(({ chunkId, score }) => [chunkId, score] as const)]);
  const near = nearest?.hits ?? [];
  const similarities =
    nearest && new Map([...nearest.similarities, ...near.map((hit) => [hit.chunkId, hit.similarity] as const)]);
  const fused = fuseRankings(words, similarities, { weight, floor, coverage: text.coverage });
  const best = lateQuery === null ? [] : bestCandidates(fused, MAX_RERANKED);
  const memoryOf = new Map([...text.hits, ...near].map(({ chunkId, memoryId }) => [chunkId, memoryId]));
  const inComments = new Set(text.inComments);
  // Comments count for the first chunk of their memory. Its best chunk may be another one, which is nearer by meaning.
  const commented = new Set(Array.from(inComments, (chunkId) => memoryOf.get(chunkId)));

  return {
    best,
    rank(compared) {
      const late = comparableScores(best, compared);
      const ranked = late === null ? fused : rerank(fused, late, lateQuery?.weight ?? 0);
      const hits = bestChunks(ranked, memoryOf).map(({ chunkId, memoryId, score, textShare }): RankedHit => {
        const hasWords = words.has(chunkId) && !inComments.has(chunkId);
        return {
          chunkId,
          memoryId,
          rank: score,
          textShare,
          text: words.get(chunkId) ?? 0,
          similarity: similarities?.get(chunkId) ?? null,
          late: late?.get(chunkId) ?? null,
          isInComments: commented.has(memoryId) && !hasWords,
        };
      });
      return {
        hits,
        isHybrid: nearest !== null,
        memoryCount: new Set(memoryOf.values()).size,
        // Vectors behind one below the floor do not count.
        hasMore: text.hits.length === limit || (nearest?.beyond ?? floor) > floor,
        fullScore: text.fullScore,
        weights: text.weights,
        absent: text.absent,
        chunks: text.chunks,
        withinWords: text.withinWords ?? [],
      };
    },
  };
}

const WITHOUT_VECTORS: VectorRanking = { weight: 0, floor: 0, late: null };

interface RankedChunk extends FusedScore {
  chunkId: number;
  memoryId: string;
}

/** The best chunk of each memory, best memory first. On equal scores the newer memory comes first. */
function bestChunks(ranked: ReadonlyMap<number, FusedScore>, memoryOf: ReadonlyMap<number, string>): RankedChunk[] {
  const best = new Map<string, RankedChunk>();
  for (const [chunkId, { score, textShare }] of ranked) {
    const memoryId = memoryOf.get(chunkId);
    if (memoryId === undefined || score <= (best.get(memoryId)?.score ?? 0)) continue;
    best.set(memoryId, { chunkId, memoryId, score, textShare });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.memoryId < b.memoryId ? 1 : -1));
}

/** The chunks whose memories a search shows first: of those with the title, and of the best hits. */
export function chunksToRead(hits: readonly RankedHit[], titled: readonly TitledMemory[], count: number): number[] {
  const chunkOf = new Map(hits.map(({ memoryId, chunkId }) => [memoryId, chunkId]));
  const ofTitled = titled.map(({ memoryId, chunkId }) => chunkOf.get(memoryId) ?? chunkId);
  return [...new Set([...ofTitled, ...hits.slice(0, count).map(({ chunkId }) => chunkId)])];
}
