import type { MemoryFilter } from '../memory.js';

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
  /** The similarity of the farthest vector that was looked at, if there may be others behind it. Null if there are none. */
  beyond: number | null;
  /** The similarities of the other chunks that were asked for; those without an embedding of the model are left out. */
  similarities: ReadonlyMap<number, number>;
}

/**
 * Nearest-neighbour search over the live chunks of one user that have an embedding of one model. The memory store writes the
 * vectors, in its own transactions.
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
