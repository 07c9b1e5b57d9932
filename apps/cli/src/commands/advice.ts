import { RecollectError } from '@recollect/core';
import { shownId } from '../terminal/short-id.js';

/**
 * Adds to an error of core what to type: core knows nothing of commands and environment variables.
 *
 * @param adviceFor the sentence to append, or null
 */
export async function withAdvice<T>(work: Promise<T>, adviceFor: (error: RecollectError) => string | null): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const advice = error instanceof RecollectError ? adviceFor(error) : null;
    if (!(error instanceof RecollectError) || advice === null) throw error;
    const { code, message, errors, extension, retryAfter } = error;
    const options = { errors, extension, retryAfter: retryAfter ?? undefined, cause: error };
    throw new RecollectError(code, `${message} ${advice}`, options);
  }
}

/** How to configure a model. */
export const NO_MODEL_ADVICE = 'Set RECOLLECT_EMBEDDINGS_URL, or leave RECOLLECT_EMBEDDINGS unset for the local model.';

/** How to repair a damaged store. */
export const DAMAGE_ADVICE = 'Run recollect doctor to see the damage, and recollect restore to go back to a backup.';

/** How to undo a change. */
export function undoAdvice(changeId: string): string {
  return `Undo with: recollect undo ${shownId(changeId)}`;
}

/** The state of saved texts without embeddings. */
export const CATCHING_UP = 'Searchable by words now, by meaning when the model has caught up.';
