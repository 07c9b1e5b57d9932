import type { EmbeddingModel, HybridQuery, NearestVectors } from '../../ports/index.js';
import type { EmbeddedQuery } from '../embed-query.js';
import type { ParsedQuery } from '../parse-query.js';
import type { SearchBudget } from '../search-budget.js';
import { rankCandidates } from './rank.js';
import type { Hit, RankingPorts } from './ranked-chunk.js';
import { RERANKED } from './rerank.js';

/** Initial and maximum number of candidates of each kind. On Cranfield, 200 found nothing that 120 did not. */
export const FIRST_DEPTH = 120;
const MAX_DEPTH = 20_000;
/** Extra results to read, in case one is deleted between search and read. */
export const SPARE = 5;

export interface FoundHits {
  hits: Hit[];
  /** `text` when the query could not be embedded in time. */
  retrieval: 'hybrid' | 'text';
  /** Whether there is a model, and it failed or was too slow. */
  isDegraded: boolean;
  /** How many memories were candidates. Candidates with a score of 0 are not among the hits. */
  found: number;
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
    const found = new Set([...hits, ...near].map(({ memoryId }) => memoryId)).size;
    if (nextDepth !== null && found < limit) {
      depth = nextDepth;
      continue;
    }
    const best = rankCandidates(embeddingModel, candidates);
    const isDegraded = embeddingModel !== null && nearest === null;
    const { withinWords = [] } = candidates.text;
    const retrieval = nearest === null ? 'text' : 'hybrid';
    return { hits: best, retrieval, isDegraded, found, nextDepth, withinWords, isPartial };
  }
}

/** The request to an index for the embedding of a query. */
function askOf({ id, profile, late }: EmbeddingModel, { vector, tokens }: EmbeddedQuery): HybridQuery['embedded'] {
  const { fusionWeight: weight, similarityFloor: floor } = profile;
  const isLate = late !== undefined && tokens !== null;
  return { modelId: id, vector, late: isLate ? { tokens, count: RERANKED, weight, floor } : null };
}

/** Whether a deeper search may find vectors that count: those behind one below the floor do not. */
function canFindMore(nearest: NearestVectors | null, floor: number): boolean {
  return nearest !== null && nearest.beyond !== null && nearest.beyond > floor;
}
