import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import type { IndexingDraft } from '../ports/index.js';

/** Milliseconds after which a runner takes over what was to be embedded inline: its process has died by then. */
const GRACE = limits.capture.inlineEmbeddingMs + 5_000;

/**
 * The job that is recorded in the transaction of every change that takes embeddings away or needs new ones, so that no end of
 * the process leaves them missing without one. Inline embedding closes it.
 */
export function draftIndexing(
  { embeddingModel, clock }: Pick<CorePorts, 'embeddingModel' | 'clock'>,
  { isInline }: { isInline: boolean },
): IndexingDraft {
  if (embeddingModel === null) return { status: 'blocked', error: 'No embedding model is configured.' };
  return isInline ? { status: 'pending', dueAt: after(clock.now(), GRACE) } : { status: 'pending' };
}

/**
 * Records that inline embedding has failed. Nothing depends on it: where that cannot be stored either, the job that was
 * recorded with the change falls due by itself.
 */
export async function noteFailedEmbedding(
  { embeddingModel, memories, indexingJobs, clock }: CorePorts,
  userId: string,
  reason: string,
): Promise<void> {
  try {
    const { total, withEmbeddings } = await memories.countEmbedded(userId, embeddingModel?.id ?? null);
    await indexingJobs.queue(userId, {
      status: 'failed',
      remaining: total - withEmbeddings,
      error: reason,
      dueAt: after(clock.now(), limits.work.backoffMs.base),
    });
  } catch {
    // The first error is what has to be reported.
  }
}

function after(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}
