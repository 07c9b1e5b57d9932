import type { IndexingStatus } from '@recollect/contract';
import { count } from '@recollect/contract/text';

/** How one batch ended. */
export type BatchOutcome =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'no-model' }
  /** Only texts that the model rejects are left. */
  | { kind: 'rejected'; reason: string }
  | { kind: 'failed'; reason: string; isRetryable: boolean };

/** The state of an indexing job after a batch, and a sentence that describes it. */
export function indexingStatus(outcome: BatchOutcome, remaining: number): { status: IndexingStatus; message: string } {
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
    case 'rejected':
      return {
        status: 'completed',
        message: `${count(remaining, 'memory is', 'memories are')} left, with texts that the model rejects: ${outcome.reason}`,
      };
    case 'stopped':
    case 'done':
      return remaining === 0
        ? { status: 'completed', message: 'All memories have embeddings.' }
        : {
            status: 'pending',
            message: `${count(remaining, 'memory still lacks', 'memories still lack')} embeddings.`,
          };
  }
}
