import type { MemoryFilter } from '../memory.js';
import type { TextQuery, TextResult } from './text-index.js';
import type { NearestVectors } from './vector-index.js';

/** A query by word and, if it was embedded, by meaning. */
export interface HybridQuery {
  terms: TextQuery;
  /** Of length 1, with the model that made it. */
  embedded: { modelId: string; vector: Float32Array; late?: LateQuery | null } | null;
}

/** Which candidates a query is compared with by late interaction: the best by convex fusion (`fuseRankings`). */
export interface LateQuery {
  /** The query's token vectors, of length 1 each, one after the other. */
  tokens: Float32Array;
  /** How many candidates. */
  count: number;
  /** The share of vectors against full text. */
  weight: number;
  /** The similarity from which cosines count. */
  floor: number;
}

/** The hits of both indexes. Each hit of one also has its score in the other, if there is one. */
export interface Candidates {
  text: TextResult;
  /** Null if the query was not embedded. */
  nearest: NearestVectors | null;
  /**
   * How well the best candidates answer the query by late interaction, −1 to 1: the mean, over the query's tokens, of the greatest
   * similarity to a token of the chunk. Chunks without passage vectors are left out; null is for one in which the model knows no word.
   */
  late: ReadonlyMap<number, number | null>;
  /** The processor time that the search took, in milliseconds; missing where it is not measured. */
  spent?: number;
  /** Whether the budget was used up before everything was found. */
  isPartial?: boolean;
}

/** Both indexes in one step, since asking one after the other takes as long as their work. */
export interface HybridIndex {
  /**
   * @param options.limit most hits of each index
   * @param options.signal a caller that goes away gives up its place in a queue, and ends the search
   * @param options.budget milliseconds of processor time, after which the search returns its hits so far; no limit if
   * missing
   */
  search(
    userId: string,
    query: HybridQuery,
    options: { limit: number; filter: MemoryFilter; signal?: AbortSignal | undefined; budget?: number },
  ): Promise<Candidates>;
}
