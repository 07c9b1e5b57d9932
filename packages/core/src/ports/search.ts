import type { MemoryFilter } from '../memory.js';
import type { FoundMemory } from './memories.js';

/** A full-text query: matches any of the words. Words are NFKC and lower case. */
export interface TextQuery {
  /** Each entry is a word, or a phrase of adjacent words. */
  terms: readonly (readonly string[])[];
  /** The beginning of a word that the user may still be typing. */
  prefix: string | null;
  /** Phrases that a memory must contain: words that stand one after the other in one of its chunks. */
  phrases?: readonly (readonly string[])[];
  /** Words and phrases that no chunk of a memory may contain. */
  excluded?: readonly (readonly string[])[];
}

/** Words of a query that may be mistyped: NFKC and lower case. */
export interface UncertainWords {
  words: readonly string[];
  /** The other words of the query, among which the right correction is more often found than a wrong one. */
  beside: readonly string[];
  /** The term that may be unfinished. It is known if a word begins with it. */
  prefix: string | null;
}

export interface TextHit {
  chunkId: number;
  memoryId: string;
  /** BM25, above 0; higher is better. */
  score: number;
}

export interface TextResult {
  /** Best first. Rows with only common words may be left out. */
  hits: TextHit[];
  /** The scores of the chunks that were asked for; those that do not match are left out. */
  scores: ReadonlyMap<number, number>;
  /** The share of the query's words, weighted by their rarity, that occur in any of the user's texts. */
  coverage: number;
  /** About the BM25 of a chunk in which every word of the query counts in full, also those that occur nowhere. */
  fullScore: number;
  /** How rare each term of the query is, in the same order: above 0, and most for one that occurs nowhere. */
  weights: readonly number[];
  /** Indexes of terms that, as typed, occur in no text of the user. Null if terms were not counted. */
  absent: readonly number[] | null;
  /**
   * The places of terms that were looked for within longer words, too, since few texts have the words; missing if none
   * was.
   */
  withinWords?: readonly number[];
  /** The first chunks of memories that only have the words in their comments; missing if there are none. */
  inComments?: readonly number[];
  /** About how many chunks were searched. */
  chunks: number;
}

/**
 * Full-text search over the live memories of one user. The memory store writes the rows, in its transactions.
 */
export interface TextIndex {
  search(
    userId: string,
    query: TextQuery,
    options: {
      limit: number;
      filter: MemoryFilter;
      /** More chunks of the user whose scores are wanted. */
      also?: readonly number[];
    },
  ): Promise<TextResult>;
  /**
   * How many of a user's chunks contain each of these terms, in the given order, and about how many chunks there are.
   */
  frequencies(
    userId: string,
    terms: readonly (readonly string[])[],
  ): Promise<{ total: number; counts: readonly number[] }>;
  /**
   * Returns, for each word in the given order, the nearest word in the user's texts; null for a word that a text has.
   * Of equally near words, returns the likeliest: with an omitted letter, swapped letters or the same first letter, or
   * in many chunks, above all with another word of the query. The list is shorter if the budget was used up.
   *
   * @param limit.budget milliseconds of processor time; no limit if missing
   */
  nearestWords(
    userId: string,
    query: UncertainWords,
    limit?: { signal?: AbortSignal | undefined; budget?: number },
  ): Promise<readonly (string | null)[]>;
  /**
   * Removes words that no live text has any more. One step looks at some of the words after an id; the first id is 0.
   * Returns the id for the next step, or null after the last.
   */
  forgetWords(after: number): Promise<number | null>;
  /** Prepares fast searches. Resolves when they are prepared, or cannot be. */
  warmUp?(): Promise<void>;
  /**
   * Merges some segments that single changes have added to the index, which each search reads separately. Takes about
   * as long as a capture. Returns whether more can be merged.
   */
  merge(): Promise<boolean>;
}

export interface VectorHit {
  chunkId: number;
  memoryId: string;
  /** Cosine of the angle between query and chunk, −1 to 1. */
  similarity: number;
}

/** The result of a vector search. */
export interface NearestVectors {
  /** Nearest first. */
  hits: VectorHit[];
  /**
   * The similarity of the farthest vector that was looked at, if there may be others behind it. Null if there are none.
   */
  beyond: number | null;
  /** The similarities of the other chunks that were asked for; those without an embedding of the model are left out. */
  similarities: ReadonlyMap<number, number>;
}

/**
 * Nearest-neighbour search over the live chunks of one user that have an embedding of one model. The memory store
 * writes the vectors, in its own transactions.
 */
export interface VectorIndex {
  search(
    userId: string,
    modelId: string,
    vector: Float32Array,
    options: {
      limit: number;
      filter: MemoryFilter;
      /** More chunks of the user whose similarities are wanted, even if the filter excludes them. */
      also?: readonly number[];
    },
  ): Promise<NearestVectors>;
  /** The mean of a memory's chunk vectors, scaled to length 1; null when none has an embedding of the model. */
  centre(userId: string, modelId: string, memoryId: string): Promise<Float32Array | null>;
  /** Loads the data that searches by a model need, so that the first search is as fast as later ones. Optional. */
  warmUp?(modelId: string): Promise<void>;
}

/** A query by word and, if it was embedded, by meaning. */
export interface HybridQuery {
  terms: TextQuery;
  embedded: QueryVector | null;
  /** The newest memories with this title are found as well. None by default. */
  title?: string | undefined;
}

/** The vector of a query, and how hits are ranked with it. */
export interface QueryVector extends VectorRanking {
  modelId: string;
  /** Of length 1. */
  vector: Float32Array;
}

/** How vectors count beside full text. */
export interface VectorRanking {
  /** The share of vectors against full text. */
  weight: number;
  /** The similarity from which cosines count. */
  floor: number;
  /** Null without late interaction. */
  late: LateQuery | null;
}

/** Late interaction ranks the best hits again. */
export interface LateQuery {
  /** The query's token vectors, of length 1 each, one after the other. */
  tokens: Float32Array;
  /** The share of late interaction in the rank. */
  weight: number;
}

/** The hits of both indexes, to be ranked (`fuseCandidates`). Each hit of one has its score in the other. */
export interface Candidates {
  text: TextResult;
  /** Null if the query was not embedded. */
  nearest: NearestVectors | null;
}

/**
 * How well chunks answer a query by late interaction, −1 to 1: the mean, over the query's tokens, of the greatest
 * similarity to a token of the chunk. Chunks without passage vectors are left out; null is for one in which the model
 * knows no word.
 */
export type LateScores = ReadonlyMap<number, number | null>;

/** The best chunk of a memory, with the values that decide its place. */
export interface RankedHit {
  chunkId: number;
  memoryId: string;
  /** Relative to the other hits of this query, above 0 and at most 1. */
  rank: number;
  /** The share of full text in its rank, from 0 to 1. The rest comes from vectors. */
  textShare: number;
  /** BM25; 0 without words of the query. */
  text: number;
  /** The cosine. Null without one. */
  similarity: number | null;
  /** The late-interaction score. Null where it was not compared. */
  late: number | null;
  /** Whether the words are in the comments below its page. */
  isInComments: boolean;
}

/** The answer of a search in both indexes. */
export interface RankedHits
  extends Pick<TextResult, 'fullScore' | 'weights' | 'absent' | 'chunks'>,
    Required<Pick<TextResult, 'withinWords'>> {
  /** One for each memory, best first. */
  hits: readonly RankedHit[];
  /** Whether vectors were searched. */
  isHybrid: boolean;
  /** How many memories were candidates. Candidates with a rank of 0 are not among the hits. */
  memoryCount: number;
  /** Whether a search with a greater limit may find more. */
  hasMore: boolean;
  /** The processor time that the search took, in milliseconds; missing where it is not measured. */
  spent?: number;
  /** Whether the budget was used up before everything was found. */
  isPartial?: boolean;
}

/** A memory with the title that a query asks for, with its first chunk. */
export interface TitledMemory {
  memoryId: string;
  chunkId: number;
}

/** The answer of a search, with what its results show. */
export interface FoundHits extends RankedHits {
  /** The newest memories with the title, compared without regard to case. */
  titled: readonly TitledMemory[];
  /** The memories of the first hits and with the title. Leaves out memories deleted since. */
  memories: ReadonlyMap<string, FoundMemory>;
}

export interface HybridOptions {
  /** Most hits of each index. */
  limit: number;
  /** The memories of how many hits are read; none by default. */
  read?: number;
  filter: MemoryFilter;
  /** A caller that goes away gives up its place in a queue, and ends the search. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of processor time, after which the search returns its hits so far; no limit if missing. */
  budget?: number;
}

/** Searches both indexes and reads the first memories in one step, since each step is a message to the store. */
export interface HybridIndex {
  search(userId: string, query: HybridQuery, options: HybridOptions): Promise<FoundHits>;
}

/** Knows words of languages, so that a real word is not taken for a mistyped one. */
export interface Dictionary {
  /** Whether it has a word, which is in lower case and plain letters. */
  has(word: string): boolean;
}
