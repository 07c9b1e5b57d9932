import type { MemoryFilter, NearestVectors } from '@recollect/core';
import type { Cursor } from '../vectors/read-rows.js';
import type { Condition } from './condition.js';

export interface VectorRequest {
  userId: string;
  modelId: number;
  /** The query, of length 1. */
  vector: Float32Array;
  limit: number;
  filter: MemoryFilter;
  /** The same filter in SQL, with the chunks that match phrases and excluded words. */
  within: Condition | null;
  /** Whether it has more conditions than the filter. False if missing. */
  isNarrow?: boolean;
  /** More chunks whose similarities are wanted. */
  also: readonly number[];
}

/** Searches vectors: in memory, after every change up to a number, or, with null, on disk. */
export type SearchVectors = (request: VectorRequest, sequence: number | null) => NearestVectors;

export interface VectorProcedures {
  searchVectors: SearchVectors;
  /** Makes an empty index for the vectors stored at a number of the change sequence. */
  resetVectors(model: { id: number; dimensions: number }, hasRows: boolean, sequence: number): void;
  /** Loads the next rows, and returns where they end; null after the last. */
  loadVectors(from: Cursor, limit: number): Cursor | null;
}
