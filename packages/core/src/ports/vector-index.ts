import type { MemoryFilter } from '../memory.js';

export interface VectorHit {
  chunkId: number;
  memoryId: string;
  /** Cosine of the angle between query and chunk, −1 to 1. */
  similarity: number;
}

/** Memories whose last embeddings are stored, and the indexing job that was recorded for them. */
export interface Settlement {
  jobId: string;
  memories: number;
}

/** Nearest-neighbour search over the live chunks of one user that have an embedding of one model. */
export interface VectorIndex {
  /**
   * Stores embeddings, replacing older ones of the same chunk and model. Chunks that are gone by now are skipped, and so
   * are those whose memory has another title by now than the one that the embedding was made with.
   * What these embeddings settle is taken off its indexing job in the same transaction, where the job stands for inline embedding
   * alone; with the last memory it is removed.
   * Throws when a vector's dimension is not the one that the model is stored with.
   */
  put(
    userId: string,
    modelId: string,
    embeddings: readonly { chunkId: number; title: string; vector: Float32Array }[],
    settles?: Settlement | null,
  ): Promise<void>;
  search(
    userId: string,
    modelId: string,
    vector: Float32Array,
    options: { limit: number; filter: MemoryFilter },
  ): Promise<VectorHit[]>;
  /** Where a memory lies: the mean of its chunks' vectors, of length 1; null when none has an embedding of the model. */
  centre(userId: string, modelId: string, memoryId: string): Promise<Float32Array | null>;
  /** The similarities of given chunks; those without an embedding of the model are left out. */
  similarities(
    userId: string,
    modelId: string,
    vector: Float32Array,
    chunkIds: readonly number[],
  ): Promise<Map<number, number>>;
}
