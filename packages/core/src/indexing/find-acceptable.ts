import type { EmbeddingModel, MemoryStore, PendingChunk } from '../ports/index.js';
import { requiredVectors } from './indexing-draft.js';
import type { Rejectable, Rejections } from './rejections.js';

interface Ports {
  memories: Pick<MemoryStore, 'pendingChunks'>;
  embeddingModel: EmbeddingModel;
  rejections: Rejections;
}

/**
 * The next chunks without embeddings, except those that the model rejects: sending them again would neither help nor
 * end. None if every chunk that is left is rejected.
 *
 * @param batchSize memories to find
 */
export async function findAcceptable(
  { memories, embeddingModel, rejections }: Ports,
  userId: string,
  batchSize: number,
): Promise<PendingChunk[]> {
  const limit = batchSize + rejections.of(userId).count;
  const needs = requiredVectors(embeddingModel);
  // With many rejected chunks, looking at all of them for each batch would take longer than embedding.
  for (let start = rejections.passed(userId); ; start = 0) {
    const rejected: Rejectable[] = [];
    for (;;) {
      const skip = start + rejected.length;
      const pending = await memories.pendingChunks(userId, embeddingModel.id, limit, needs, skip);
      const chunks = pending.filter((chunk) => !rejections.has(userId, chunk));
      if (chunks.length > 0) {
        rejections.pass(userId, skip);
        return chunks;
      }
      if (pending.length === 0) break;
      for (const { chunkId, title } of pending) rejected.push({ chunkId, title });
    }
    // A chunk that was edited since may stand before the place where this search began.
    if (start > 0) continue;
    rejections.keep(userId, rejected);
    rejections.pass(userId, 0);
    return [];
  }
}
