import type { Candidates, EmbeddingModel, HybridQuery, ModelProfile, NearestVectors } from '../../ports/index.js';
import type { EmbeddedQuery } from '../choose-model.js';
import type { ParsedQuery } from '../parse-query.js';
import type { SearchBudget } from '../search-budget.js';
import {
  evidenceOf,
  type FusedScore,
  fuseRankings,
  type Hit,
  type RankedChunk,
  type RankingPorts,
  type SignalScores,
} from './fuse.js';

import { likelihoodAcross, likelihoodOf } from './likelihood.js';

import { lateScores, MAX_RERANKED, rerank } from './rerank.js';

/** Initial and maximum number of candidates of each kind. On Cranfield, 200 found nothing that 120 did not. */
export const FIRST_DEPTH = 120;
const MAX_DEPTH = 20_000;
/** Extra results to read, in case one is deleted between search and read. */
export const SPARE_RESULTS = 5;

export interface FoundHits {
  hits: Hit[];
  /** `text` when the query could not be embedded in time. */
  retrieval: 'hybrid' | 'text';
  /** Whether there is a model, and it failed or was too slow. */
  isDegraded: boolean;
  /** How many memories were candidates. Candidates with a score of 0 are not among the hits. */
  memoryCount: number;
  /** The depth at which a search may find more; null if none does. */
  nextDepth: number | null;
  /** The places of terms that were looked for within longer words. */
  withinWords: readonly number[];
  /** Whether the time was up before everything was found. */
  isPartial: boolean;
}

export interface SearchOptions {
  /** Candidates to find, in memories. */
  limit: number;
  /** Candidates of each kind to start with, in chunks. */
  depth: number;
  /** The embedding of the query, or null when there is none in time; null without a model. */
  embedding: Promise<EmbeddedQuery | null> | null;
  signal: AbortSignal | undefined;
  budget: SearchBudget;
}

/** Searches both indexes and ranks their hits. Returns the best chunk of each memory, best first. */
export async function searchHits(
  { hybridIndex, embeddingModel }: RankingPorts,
  userId: string,
  { terms, filter }: ParsedQuery,
  { limit, depth: firstDepth, embedding, signal, budget }: SearchOptions,
): Promise<FoundHits> {
  const floor = embeddingModel?.profile.similarityFloor ?? 0;
  const query = await embedding;
  const embedded = query === null || embeddingModel === null ? null : askOf(embeddingModel, query);
  // One memory with many chunks can fill a result list. A deeper search then finds the memories behind it.
  for (let depth = firstDepth; ; ) {
    signal?.throwIfAborted();
    const options = { limit: depth, filter, signal, budget: budget.left };
    const candidates = await hybridIndex.search(userId, { terms, embedded }, options);
    const { spent = 0, isPartial = false } = candidates;
    budget.left = Math.max(0, budget.left - spent);
    signal?.throwIfAborted();
    const { nearest } = candidates;
    const { hits } = candidates.text;
    const near = nearest?.hits ?? [];
    const isFull = hits.length === depth || canFindMore(nearest, floor);
    const nextDepth = isFull && !isPartial && depth < MAX_DEPTH ? Math.min(depth * 10, MAX_DEPTH) : null;
    const memoryCount = new Set([...hits, ...near].map(({ memoryId }) => memoryId)).size;
    if (nextDepth !== null && memoryCount < limit) {
      depth = nextDepth;
      continue;
    }
    const best = rankCandidates(embeddingModel, candidates);
    const isDegraded = embeddingModel !== null && nearest === null;
    const { withinWords = [] } = candidates.text;
    const retrieval = nearest === null ? 'text' : 'hybrid';
    return { hits: best, retrieval, isDegraded, memoryCount, nextDepth, withinWords, isPartial };
  }
}

/** The request to an index for the embedding of a query. */
function askOf({ id, profile, late }: EmbeddingModel, { vector, tokens }: EmbeddedQuery): HybridQuery['embedded'] {
  const { fusionWeight: weight, similarityFloor: floor } = profile;
  const isLate = late !== undefined && tokens !== null;
  return { modelId: id, vector, late: isLate ? { tokens, count: MAX_RERANKED, weight, floor } : null };
}

/** Whether a deeper search may find vectors that count: those behind one below the floor do not. */
function canFindMore(nearest: NearestVectors | null, floor: number): boolean {
  return nearest !== null && nearest.beyond !== null && nearest.beyond > floor;
}

/**
 * Ranks the hits of both indexes: convex fusion, then late interaction for the best, then the best chunk of each
 * memory, best first. The order comes from scores that are relative to the best of this query;
 * the score of a hit is an absolute one.
 */
function rankCandidates(model: EmbeddingModel | null, candidates: Candidates): Hit[] {
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
  const hits = calibrate(bestChunks(ranked, memoryOf), { ...evidence, late }, model?.profile ?? null);
  const inComments = new Set(text.inComments);
  if (inComments.size === 0) return hits;
  // Comments count for the first chunk of their memory. Its best chunk may be another one, which is nearer by meaning.
  const commented = new Set([...inComments].map((chunkId) => memoryOf.get(chunkId)));
  return hits.map((hit) => {
    const hasWords = evidence.text.has(hit.chunkId) && !inComments.has(hit.chunkId);
    return { ...hit, isInComments: commented.has(hit.memoryId) && !hasWords };
  });
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

/**
 * Gives each hit a score that means the same for every query (QRY-11).
 *
 * @param hits best first
 * @param model that made the vectors; null without one
 */
function calibrate(
  hits: readonly RankedChunk[],
  { text, fullText, weights, similarity, late, chunks }: SignalScores,
  model: ModelProfile | null,
): Hit[] {
  const floor = model?.similarityFloor ?? 0;
  const across = model?.acrossLanguages;
  let least = 1;
  return hits.map((hit) => {
    const cosine = similarity?.get(hit.chunkId) ?? floor;
    const evidence = {
      text: fullText > 0 ? (text.get(hit.chunkId) ?? 0) / fullText : 0,
      similarity: similarity === null ? null : (cosine - floor) / Math.max(1 - floor, 1e-6),
      late: late?.get(hit.chunkId) ?? null,
      chunks,
    };
    const inOther = across === undefined ? 0 : likelihoodAcross(evidence, across);
    least = Math.min(least, Math.max(likelihoodOf(evidence), inOther));
    const scoreWith = (has: (term: number) => boolean) =>
      Math.max(likelihoodOf({ ...evidence, coverage: coverageOf(weights, has), words: weights.length }), inOther);
    return { ...hit, score: least, scoreWith };
  });
}

/** The share of the query's terms, weighted by their rarity, that a text has. */
function coverageOf(weights: readonly number[], has: (term: number) => boolean): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return whole === 0 ? 1 : weights.reduce((sum, weight, term) => (has(term) ? sum + weight : sum), 0) / whole;
}
