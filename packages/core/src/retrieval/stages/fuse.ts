import type { CorePorts } from '../../ports/core-ports.js';
import type { Candidates, FoundMemory, MemoryStore } from '../../ports/index.js';
import { findNearDuplicate, type Passage, toPassage } from '../../text/near-duplicates.js';

export interface FusionOptions {
  /** α: the share of vectors against full text, from the model's profile. */
  weight: number;
  /** The similarity from which cosines count, from the model's profile. */
  floor: number;
  /** The share of the query's words, by their rarity, that occur in the user's texts. */
  coverage: number;
}

export interface FusedScore {
  /** In (0, 1]. */
  score: number;
  /** The share of the score that comes from full text, from 0 to 1. The rest comes from vectors. */
  textShare: number;
}

/**
 * Convex fusion with the theoretical minimum (TM2C2; Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", TOIS 2023): score = α·d + (1−α)·l. Here d is the cosine above the floor over the query's best cosine
 * above the floor, and l the BM25 over the query's best BM25. Both maps must hold the true score of every candidate
 * that has one. Without vectors, only l counts. Scores are in (0, 1]; candidates at 0 are left out.
 *
 * Dividing by the best makes the best text hit count in full, however little of the query it matched. So l is damped by
 * the root of the query's coverage: if a question of unknown words shares a chance word with some text, the vectors
 * decide.
 *
 * @example
 * fuseRankings(new Map([[1, 7.2]]), new Map([[1, 0.6], [2, 0.7]]), { weight: 0.45, floor: 0, coverage: 1 });
 */
export function fuseRankings(
  text: ReadonlyMap<number, number>,
  vectors: ReadonlyMap<number, number> | null,
  { weight, floor, coverage }: FusionOptions,
): Map<number, FusedScore> {
  const bestText = greatest(text.values());
  const bestSimilarity = greatest(vectors?.values() ?? []) - floor;
  const alpha = vectors === null ? 0 : weight;
  const damping = vectors === null ? 1 : Math.sqrt(coverage);
  const fused = new Map<number, FusedScore>();
  for (const id of new Set([...text.keys(), ...(vectors?.keys() ?? [])])) {
    const l = bestText > 0 ? Math.max(0, text.get(id) ?? 0) / bestText : 0;
    const d = bestSimilarity > 0 ? Math.max(0, (vectors?.get(id) ?? 0) - floor) / bestSimilarity : 0;
    const fromText = (1 - alpha) * damping * l;
    const score = Math.min(1, alpha * d + fromText);
    if (score > 0) fused.set(id, { score, textShare: Math.min(1, fromText / score) });
  }
  return fused;
}

/** 0 without values. Not `Math.max(...values)`: a deep search has more values than a call can take arguments. */
function greatest(values: Iterable<number>): number {
  let greatestYet = 0;
  for (const value of values) if (value > greatestYet) greatestYet = value;
  return greatestYet;
}

export type RankingPorts = Pick<CorePorts, 'hybridIndex' | 'embeddingModel'>;

/** The best chunk of a memory, with the values that decide its place. */
export interface RankedChunk {
  chunkId: number;
  memoryId: string;
  /** Relative to the other hits of this query, above 0 and at most 1. */
  rank: number;
  /** The share of full text in its rank, from 0 to 1. The rest comes from vectors. */
  textShare: number;
}

/** A memory that was found, by its best chunk. */
export interface Hit extends RankedChunk {
  /** How likely it answers the query (`likelihoodOf`), above 0 and below 1. Never higher than for a better hit. */
  score: number;
  /** Whether the words are in the comments below its page. */
  isInComments?: boolean;
  /** Its score if its passage and the facts of its memory have only some terms of the query, by their places in it. */
  scoreWith?: (has: (term: number) => boolean) => number;
}

/** Folds results, in their order: versions of a page, and memories whose texts are nearly the same, are one. */
interface Deduplicator {
  /**
   * Places the next result.
   *
   * @returns the place of the earlier result that it is folded into; -1 if it stays a separate result
   */
  place(memory: Pick<FoundMemory, 'id' | 'chunk' | 'versionOf'>): Promise<number>;
}

/** Begins to deduplicate results. */
export function createDeduplicator(memories: Pick<MemoryStore, 'find'>, userId: string): Deduplicator {
  const passages: Passage[] = [];
  /** The results of pages, by their URL keys. */
  const pages = new Map<string, number>();
  return {
    async place({ id, chunk, versionOf }) {
      const page = versionOf?.urlKey;
      const passage = toPassage(chunk, async () => (await memories.find(userId, id))?.text ?? '');
      const same = (page === undefined ? undefined : pages.get(page)) ?? (await findNearDuplicate(passage, passages));
      if (page !== undefined) pages.set(page, same < 0 ? passages.length : same);
      if (same < 0) passages.push(passage);
      return same;
    },
  };
}

/** The scores of each signal for the candidates, by the ids of their chunks. */
export interface SignalScores {
  /** BM25. */
  text: ReadonlyMap<number, number>;
  /** BM25 of a chunk in which every word of the query counts in full. */
  fullText: number;
  /** How rare each term of the query is. */
  weights: readonly number[];
  /** Cosines. Null without vectors. */
  similarity: ReadonlyMap<number, number> | null;
  /** Late-interaction scores of the best candidates. Null without them. */
  late: ReadonlyMap<number, number> | null;
  /** Chunks that were searched. */
  chunks: number;
}

/** The scores of both indexes for their candidates. */
export function evidenceOf({ text, nearest }: Pick<Candidates, 'text' | 'nearest'>): Omit<SignalScores, 'late'> {
  const near = nearest?.hits ?? [];
  return {
    text: new Map([...text.scores, ...text.hits.map(({ chunkId, score }): [number, number] => [chunkId, score])]),
    fullText: text.fullScore,
    weights: text.weights,
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
