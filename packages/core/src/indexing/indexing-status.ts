import type { IndexingStatus, ReindexState } from '@recollect/contract';
import { count } from '@recollect/contract/text';

/** How one batch ended. */
export type BatchOutcome =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'no-model' }
  | { kind: 'failed'; reason: string; isRetryable: boolean };

/** The state of an indexing job after a batch, and a sentence that describes it. */
export function indexingStatus(
  outcome: BatchOutcome,
  remaining: number,
  rejected: ReindexState['rejected'] = { count: 0, memories: [], reason: null },
): { status: IndexingStatus; message: string } {
  switch (outcome.kind) {
    case 'no-model':
      return {
        status: 'blocked',
        message: 'No embedding model is configured.',
      };
    case 'failed':
      return {
        status: 'failed',
        message: outcome.isRetryable
          ? `${outcome.reason} It will be retried; nothing is lost.`
          : `${outcome.reason} Nothing is lost. Check the settings of the model; it is tried again each hour.`,
      };
    case 'stopped':
    case 'done':
      if (remaining === 0) return { status: 'completed', message: 'All memories have embeddings.' };
      return remaining <= rejected.count
        ? {
            status: 'completed',
            message: `All memories have embeddings but ${remaining}, with texts that the model rejects: ${rejected.reason}`,
          }
        : {
            status: 'pending',
            message: `${count(remaining, 'memory still lacks', 'memories still lack')} embeddings.`,
          };
  }
}
