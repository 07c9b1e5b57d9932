import { limits } from '@recollect/contract/limits';
import { embedChunks, takeInlineTurn } from '../indexing/embed-chunks.js';
import { requiredVectors } from '../indexing/indexing-draft.js';
import type { CorePorts } from '../ports/core-ports.js';

/**
 * Makes the embeddings that a change dropped. The change is stored together with its indexing job, so a failure here
 * does not fail the change: a runner makes the embeddings later.
 */
export async function embedAgain(
  { memories, indexingJobs, embeddingModel }: Pick<CorePorts, 'memories' | 'indexingJobs' | 'embeddingModel'>,
  userId: string,
  id: string,
  jobId: string | null,
  cancelled?: AbortSignal,
): Promise<void> {
  if (embeddingModel === null) return;
  try {
    const chunks = await memories.pendingChunksOf(userId, embeddingModel.id, id, requiredVectors(embeddingModel));
    if (chunks.length === 0) return;
    const endTurn = takeInlineTurn(embeddingModel, chunks.length);
    if (endTurn === null) {
      const { total, withEmbeddings } = await memories.countEmbedded(
        userId,
        embeddingModel.id,
        requiredVectors(embeddingModel),
      );
      await indexingJobs.queue(userId, { status: 'pending', remaining: total - withEmbeddings });
      return;
    }
    const late = AbortSignal.timeout(limits.capture.inlineEmbeddingMs);
    const signal = cancelled === undefined ? late : AbortSignal.any([late, cancelled]);
    await embedChunks({ embeddingModel, memories }, userId, chunks, { signal, jobId }).finally(endTurn);
  } catch {
    // The job falls due anyway, and its runner records the error.
  }
}
