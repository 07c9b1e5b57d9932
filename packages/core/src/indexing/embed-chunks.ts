import { RecollectError } from '../error.js';
import type { EmbeddingModel, PendingChunk, VectorIndex } from '../ports/index.js';
import { embeddingInput } from './embedding-input.js';

/** Chunks whose embeddings are stored at once: what a killed process loses. */
const GROUP = 32;

/**
 * Embeds chunks and stores the embeddings, a group at a time. Must not be called inside a transaction. `mayStore` is
 * asked before each group is stored; false ends the work. The memories are taken off the job `jobId` with the last
 * group. Throws EMBEDDING_FAILED when the model fails.
 */
export async function embedChunks(
  ports: { embeddingModel: EmbeddingModel; vectorIndex: VectorIndex },
  userId: string,
  chunks: readonly PendingChunk[],
  options: {
    signal?: AbortSignal;
    mayStore?: () => boolean;
    onStored?: (chunks: number) => void;
    /** The indexing job that was recorded with the chunks. */
    jobId?: string | null;
  } = {},
): Promise<number> {
  const { embeddingModel, vectorIndex } = ports;
  const memories = new Set(chunks.map(({ memoryId }) => memoryId)).size;
  let embedded = 0;
  for (let at = 0; at < chunks.length; at += GROUP) {
    const group = chunks.slice(at, at + GROUP);
    let vectors: Float32Array[];
    try {
      vectors = await embeddingModel.embed(group.map(embeddingInput), {
        purpose: 'document',
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (cause) {
      throw new RecollectError('EMBEDDING_FAILED', reasonOf(cause), { cause });
    }
    if (options.mayStore?.() === false) return embedded;
    const embeddings = group.map(({ chunkId, title }, index) => ({
      chunkId,
      title,
      vector: vectors[index] as Float32Array,
    }));
    const isLast = at + GROUP >= chunks.length;
    const settles = isLast && options.jobId != null ? { jobId: options.jobId, memories } : null;
    await vectorIndex.put(userId, embeddingModel.id, embeddings, settles);
    embedded += group.length;
    options.onStored?.(group.length);
  }
  return embedded;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof RecollectError) return cause.message;
  return cause instanceof Error && cause.name === 'TimeoutError'
    ? 'The embedding model did not answer in time.'
    : 'The embedding model could not be used.';
}
