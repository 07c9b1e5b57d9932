import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../ports/core-ports.js';
import type { EmbeddingModel, EmbeddingNeeds, IndexingDraft } from '../ports/index.js';

/** Milliseconds after which a runner takes over an inline embedding, because its process is considered dead. */
const GRACE_MS = limits.capture.inlineEmbeddingMs + 5_000;

/**
 * The job that is recorded in the transaction of every change that drops embeddings or needs new ones. However the
 * process ends, missing embeddings then have a job. Inline embedding removes it.
 */
export function draftIndexing(
  { embeddingModel, clock }: Pick<CorePorts, 'embeddingModel' | 'clock'>,
  { isInline }: { isInline: boolean },
): IndexingDraft {
  if (embeddingModel === null) return { status: 'blocked', error: 'No embedding model is configured.' };
  return { status: 'pending', dueAt: isInline ? after(clock.now(), GRACE_MS) : undefined };
}

/** The requirements for chunks to count as embedded by a model. */
export function requiredVectors(model: EmbeddingModel | null): EmbeddingNeeds {
  return { withPassages: model?.late !== undefined };
}

/**
 * Records that inline embedding has failed. Nothing depends on it: if this cannot be stored either, the job that was
 * recorded with the change falls due anyway.
 */
export async function recordFailedEmbedding(
  {
    embeddingModel,
    memories,
    indexingJobs,
    clock,
  }: Pick<CorePorts, 'embeddingModel' | 'memories' | 'indexingJobs' | 'clock'>,
  userId: string,
  reason: string,
): Promise<void> {
  try {
    const { total, withEmbeddings } = await memories.countEmbedded(
      userId,
      embeddingModel?.id ?? null,
      requiredVectors(embeddingModel),
    );
    await indexingJobs.queue(userId, {
      status: 'failed',
      remaining: total - withEmbeddings,
      error: reason,
      dueAt: after(clock.now(), limits.work.backoffMs.base),
    });
  } catch {
    // The first error is the one to report.
  }
}

function after(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}
