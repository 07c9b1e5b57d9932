import type { MemoryFilter } from '../memory.js';
import type { TextQuery, TextResult } from './text-index.js';
import type { NearestVectors } from './vector-index.js';

/** A query by word and, if it was embedded, by meaning. */
export interface HybridQuery {
  terms: TextQuery;
  /** Of length 1, with the model that made it. */
  embedded: { modelId: string; vector: Float32Array } | null;
}

/** What both indexes found. Each hit of one has its score in the other too, if it has one there. */
export interface Candidates {
  text: TextResult;
  /** Null if the query was not embedded. */
  nearest: NearestVectors | null;
}

/** The token vectors of a query, with the model that made them. */
export interface QueryTokens {
  modelId: string;
  /** Of length 1 each, one after the other. */
  tokens: Float32Array;
}

/** Both indexes in one step, since asking one after the other takes as long as their work. */
export interface HybridIndex {
  /**
   * @param options.limit most hits of each index
   * @param options.signal a caller that goes away gives up its place in a queue
   */
  search(
    userId: string,
    query: HybridQuery,
    options: { limit: number; filter: MemoryFilter; signal?: AbortSignal | undefined },
  ): Promise<Candidates>;
  /**
   * How well chunks answer a query by late interaction, −1 to 1: the mean, over the query's tokens, of the greatest similarity to a
   * token of the chunk. Chunks without passage vectors are left out; null is for one in which the model knows no word.
   */
  scorePassages(
    userId: string,
    query: QueryTokens,
    chunkIds: readonly number[],
  ): Promise<ReadonlyMap<number, number | null>>;
}
