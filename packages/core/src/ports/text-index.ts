import type { MemoryFilter } from '../memory.js';

/** A query for full text: any of the words, best matches first. Words are NFKC and lower case. */
export interface TextQuery {
  /** Each entry is a word, or a phrase of words that have to stand together. */
  terms: readonly (readonly string[])[];
  /** The beginning of a word that the user may still be typing. */
  prefix: string | null;
}

export interface TextHit {
  chunkId: number;
  memoryId: string;
  /** BM25, greater is better, above 0. */
  score: number;
}

export interface TextResult {
  hits: TextHit[];
  /** Whether every match is among the hits; rows that hold common words alone may be left out. */
  isComplete: boolean;
  /** How much of the query the user's texts know at all: the share of its words, by their rarity, that stand in any. */
  coverage: number;
}

/**
 * Full-text search over the live memories of one user. Rows are written by the memory store, in its transactions.
 */
export interface TextIndex {
  search(userId: string, query: TextQuery, options: { limit: number; filter: MemoryFilter }): Promise<TextResult>;
  /** How many of a user's chunks hold each of these terms, in their order, and how many chunks there are about. */
  frequencies(
    userId: string,
    terms: readonly (readonly string[])[],
  ): Promise<{ total: number; counts: readonly number[] }>;
  /** The scores of given chunks for the same query; those that do not match are left out. */
  scores(userId: string, query: TextQuery, chunkIds: readonly number[]): Promise<Map<number, number>>;
}
