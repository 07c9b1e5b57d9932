import type { MemoryFilter } from '../memory.js';

/** A full-text query: matches any of the words. Words are NFKC and lower case. */
export interface TextQuery {
  /** Each entry is a word, or a phrase of adjacent words. */
  terms: readonly (readonly string[])[];
  /** The beginning of a word that the user may still be typing. */
  prefix: string | null;
}

export interface TextHit {
  chunkId: number;
  memoryId: string;
  /** BM25, above 0; higher is better. */
  score: number;
}

export interface TextResult {
  hits: TextHit[];
  /** Whether the hits contain every match. Rows with only common words may be left out. */
  isComplete: boolean;
  /** The share of the query's words, weighted by their rarity, that occur in any of the user's texts. */
  coverage: number;
}

/**
 * Full-text search over the live memories of one user. The memory store writes the rows, in its transactions.
 */
export interface TextIndex {
  search(userId: string, query: TextQuery, options: { limit: number; filter: MemoryFilter }): Promise<TextResult>;
  /** How many of a user's chunks contain each of these terms, in the given order, and about how many chunks there are. */
  frequencies(
    userId: string,
    terms: readonly (readonly string[])[],
  ): Promise<{ total: number; counts: readonly number[] }>;
  /** The scores of given chunks for the same query; those that do not match are left out. */
  scores(userId: string, query: TextQuery, chunkIds: readonly number[]): Promise<Map<number, number>>;
}
