import type { Capture, CaptureAnswer } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { CallOperation } from './executor.js';

export interface SavedCapture {
  answer: CaptureAnswer;
  /** Why it was saved without embeddings. Null if it has them, or gets them later. */
  failure: string | null;
}

/** Saves a capture. A failed embedding is not an error; the capture has been saved. */
export async function saveCapture(call: CallOperation, capture: Capture): Promise<SavedCapture> {
  try {
    return { answer: await call('capture', { body: capture }), failure: null };
  } catch (error) {
    if (!(error instanceof RecollectError) || error.extension.saved !== true) throw error;
    const { saved, ...answer } = error.extension;
    return { answer: answer as CaptureAnswer, failure: error.message };
  }
}
