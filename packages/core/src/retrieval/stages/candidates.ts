import type { CorePorts } from '../../ports/core-ports.js';
import type { EmbeddingModel, FoundHits, ModelProfile, QueryVector, RankedHit, RankedHits } from '../../ports/index.js';
import type { EmbeddedQuery } from '../choose-model.js';
import type { ParsedQuery } from '../parse-query.js';
import type { SearchBudget } from '../search-budget.js';

import { likelihoodAcross, likelihoodOf } from './likelihood.js';

/** Initial and maximum number of candidates of each kind. On Cranfield, 200 found nothing that 120 did not. */
export const FIRST_DEPTH = 120;
const MAX_DEPTH = 20_000;
/** Extra results to read, in case one is deleted between search and read. */
export const SPARE_RESULTS = 5;

/** A memory that was found, by its best chunk. */
export interface Hit extends Pick<RankedHit, 'chunkId' | 'memoryId' | 'rank' | 'textShare'> {
  /** How likely it answers the query (`likelihoodOf`), above 0 and below 1. Never higher than for a better hit. */
  score: number;
  /** Whether the words are in the comments below its page. */
  isInComments?: boolean;
  /** Its score if its passage and the facts of its memory have only some terms of the query, by their places in it. */
  scoreWith?: (has: (term: number) => boolean) => number;
}

export interface Found extends Pick<FoundHits, 'isHybrid' | 'memoryCount' | 'withinWords' | 'titled' | 'memories'> {
  hits: Hit[];
  /** Words of the query that occur in no text; null if not counted. */
  absent: ReadonlySet<string> | null;
  /** The depth at which a search may find more; null if none does. */
  nextDepth: number | null;
  /** Whether the time was up before everything was found. */
  isPartial: boolean;
}

export interface SearchOptions {
  /** Candidates to find, in memories. */
  limit: number;
  /** Candidates of each kind to start with, in chunks. */
  depth: number;
  /** The memories of how many hits are read. */
  read: number;
  /** The title that memories are looked for by as well; undefined if none are. */
  title: string | undefined;
  /** The embedding of the query, or null when there is none in time; null without a model. */
  embedding: Promise<EmbeddedQuery | null> | null;
  signal: AbortSignal | undefined;
  budget: SearchBudget;
}

/** Searches both indexes. Returns the best chunk of each memory with its score, best first, and the first memories. */
export async function searchHits(
  { hybridIndex, embeddingModel }: Pick<CorePorts, 'hybridIndex' | 'embeddingModel'>,
  userId: string,
  { terms, filter }: ParsedQuery,
  { limit, depth: firstDepth, read, title, embedding, signal, budget }: SearchOptions,
): Promise<Found> {
  const query = await embedding;
  const embedded = query === null || embeddingModel === null ? null : vectorOf(embeddingModel, query);
  // One memory with many chunks can fill a result list. A deeper search then finds the memories behind it.
  for (let depth = firstDepth; ; ) {
    signal?.throwIfAborted();
    const options = { limit: depth, read, filter, signal, budget: budget.left };
    const found = await hybridIndex.search(userId, { terms, embedded, title }, options);
    const { hasMore, spent = 0, isPartial = false, memoryCount } = found;
    budget.left = Math.max(0, budget.left - spent);
    signal?.throwIfAborted();
    const nextDepth = hasMore && !isPartial && depth < MAX_DEPTH ? Math.min(depth * 10, MAX_DEPTH) : null;
    if (nextDepth === null || memoryCount >= limit) {
      const hits = calibrate(found, embeddingModel?.profile ?? null);
      const absent = found.absent && new Set(found.absent.flatMap((term) => terms.terms[term] ?? []));
      return { ...found, hits, absent, nextDepth, isPartial };
    }
    depth = nextDepth;
  }
}

/** What an index needs to know of a model's embedding of a query. */
function vectorOf({ id, profile, late }: EmbeddingModel, { vector, tokens }: EmbeddedQuery): QueryVector {
  const { fusionWeight: weight, similarityFloor: floor } = profile;
  const isLate = late !== undefined && tokens !== null;
  return { modelId: id, vector, weight, floor, late: isLate ? { tokens, weight: late.weight } : null };
}

/**
 * Gives each hit a score that means the same for every query (QRY-11). The order comes from ranks, which are relative
 * to the best of this query.
 *
 * @param model that made the vectors; null without one
 */
function calibrate({ hits, fullScore, weights, chunks, isHybrid }: RankedHits, model: ModelProfile | null): Hit[] {
  const floor = model?.similarityFloor ?? 0;
  const across = model?.acrossLanguages;
  let least = 1;
  return hits.map(({ chunkId, memoryId, rank, textShare, text, similarity, late, isInComments }) => {
    const evidence = {
      text: fullScore > 0 ? text / fullScore : 0,
      similarity: isHybrid ? ((similarity ?? floor) - floor) / Math.max(1 - floor, 1e-6) : null,
      late,
      chunks,
    };
    const inOther = across === undefined ? 0 : likelihoodAcross(evidence, across);
    least = Math.min(least, Math.max(likelihoodOf(evidence), inOther));
    const scoreWith = (has: (term: number) => boolean) =>
      Math.max(likelihoodOf({ ...evidence, coverage: coverageOf(weights, has), words: weights.length }), inOther);
    return { chunkId, memoryId, rank, textShare, isInComments, score: least, scoreWith };
  });
}

/** The share of the query's terms, weighted by their rarity, that a text has. */
function coverageOf(weights: readonly number[], has: (term: number) => boolean): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return whole === 0 ? 1 : weights.reduce((sum, weight, term) => (has(term) ? sum + weight : sum), 0) / whole;
}
