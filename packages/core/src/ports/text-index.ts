import type { MemoryFilter } from '../memory.js';

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
  /** The places of terms that were looked for within longer words, too, since few texts have the words; missing if none was. */
  withinWords?: readonly number[];
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
  /** How many of a user's chunks contain each of these terms, in the given order, and about how many chunks there are. */
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
   * Removes words that no live text has any more. One step looks at some of the words after an id; the first id is 0. Returns the id
   * for the next step, or null after the last.
   */
  forgetWords(after: number): Promise<number | null>;
  /**
   * Merges some segments that single changes have added to the index, which each search reads separately. Takes about
   * as long as a capture. Returns whether more can be merged.
   */
  merge(): Promise<boolean>;
}
