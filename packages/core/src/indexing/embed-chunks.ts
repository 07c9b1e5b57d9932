import { RecollectError } from '../error.js';
import type { EmbeddingModel, MemoryStore, PendingChunk } from '../ports/index.js';
import { embeddingInput } from './embedding-input.js';

/** Chunks whose embeddings are stored together. A killed process loses at most one group. */
const GROUP = 32;

/**
 * Embeds chunks and stores the embeddings, a group at a time. Must not be called inside a transaction. Stops early once
 * `mayStore` returns false before a group is stored. Takes the memories off the job `jobId` with the last group. Returns the
 * number of chunks stored. Throws EMBEDDING_FAILED if the model fails.
 */
export async function embedChunks(
  { embeddingModel, memories }: { embeddingModel: EmbeddingModel; memories: Pick<MemoryStore, 'saveEmbeddings'> },
  userId: string,
  chunks: readonly PendingChunk[],
  options: {
    signal?: AbortSignal | undefined;
    mayStore?: (() => boolean) | undefined;
    onStored?: ((chunks: number) => void) | undefined;
    /** The indexing job that was recorded with the chunks. */
    jobId?: string | null | undefined;
  } = {},
): Promise<number> {
  const count = new Set(chunks.map(({ memoryId }) => memoryId)).size;
  let embedded = 0;
  for (let at = 0; at < chunks.length; at += GROUP) {
    const group = chunks.slice(at, at + GROUP);
    let vectors: Float32Array[];
    try {
      const inputs = group.map((chunk) => embeddingInput(chunk, embeddingModel.profile.countTokens));
      vectors = await embeddingModel.embed(inputs, { purpose: 'document', signal: options.signal });
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
    const settles = isLast && options.jobId != null ? { jobId: options.jobId, memories: count } : null;
    await memories.saveEmbeddings(userId, embeddingModel.id, embeddings, settles);
    embedded += group.length;
    options.onStored?.(group.length);
  }
  return embedded;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof RecollectError) return cause.message;
  return cause instanceof Error && cause.name === 'TimeoutError'
    ? 'The embedding model timed out.'
    : 'The embedding model failed.';
}
