import { ProblemError } from '@recollect/contract/client';

/** The displayed state of an action: `kept` is a capture that waits in the browser. */
export interface Status {
  tone: 'quiet' | 'busy' | 'good' | 'kept' | 'bad';
  text: string;
  /** The memory that was saved or found. */
  memoryId?: string;
}

/** The sentence for a request that failed. */
export function messageOf(error: unknown): string {
  return error instanceof ProblemError ? error.message : 'Recollect does not answer.';
}
