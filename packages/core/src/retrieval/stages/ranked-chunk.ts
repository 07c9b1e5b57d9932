import type { CorePorts } from '../../core-ports.js';

export type RankingPorts = Pick<CorePorts, 'hybridIndex' | 'embeddingModel'>;

/** The best chunk of a memory, with the values that decide its place. */
export interface RankedChunk {
  chunkId: number;
  memoryId: string;
  /** Relative to the other hits of this query, above 0 and at most 1. */
  rank: number;
  /** The share of full text in its rank, from 0 to 1. The rest comes from vectors. */
  textShare: number;
}

/** A memory that was found, by its best chunk. */
export interface Hit extends RankedChunk {
  /** How likely it answers the query (`likelihoodOf`), above 0 and below 1. Never higher than for a better hit. */
  score: number;
  /** Its score if its passage and the facts of its memory have only some terms of the query, by their places in it. */
  scoreWith?: (has: (term: number) => boolean) => number;
}
