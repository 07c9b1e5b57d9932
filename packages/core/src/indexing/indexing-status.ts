import type { IndexingStatus } from '@recollect/contract';
import { count } from '@recollect/contract/text';

/** How one batch ended. */
export type BatchOutcome =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'no-model' }
  | { kind: 'failed'; reason: string };

/** The state of an indexing job after a batch, and a sentence that describes it. */
export function indexingStatus(outcome: BatchOutcome, remaining: number): { status: IndexingStatus; message: string } {
  switch (outcome.kind) {
    case 'no-model':
      return {
        status: 'blocked',
        message: 'No embedding model is configured.',
      };
    case 'failed':
      return { status: 'failed', message: `${outcome.reason} It will be retried; nothing is lost.` };
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
