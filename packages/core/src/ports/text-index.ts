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

/**
 * Full-text search over the live memories of one user. Rows are written by the memory store, in its transactions. A
 * search that is complete holds every match; one that is not may also leave out rows that hold common words alone.
 */
export interface TextIndex {
  search(
    userId: string,
    query: TextQuery,
    options: { limit: number; filter: MemoryFilter },
  ): Promise<{ hits: TextHit[]; isComplete: boolean }>;
  /** The scores of given chunks for the same query; those that do not match are left out. */
  scores(userId: string, query: TextQuery, chunkIds: readonly number[]): Promise<Map<number, number>>;
}
