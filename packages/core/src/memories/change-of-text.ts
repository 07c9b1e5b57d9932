import { withoutNul } from '../capture/choose-content.js';
import { chunkSizesFor, splitIntoChunks } from '../capture/chunk-text.js';
import { contentHashOf } from '../capture/normalise-capture.js';
import { urlKey } from '../capture/url-key.js';
import { RecollectError } from '../error.js';
import type { EmbeddingModel, MemoryChange, StoredMemory } from '../ports/index.js';
/**
 * Splits a memory's new text for the model that will embed it. Throws VALIDATION_FAILED if the text is blank. A
 * conversation, whose next capture continues, takes only the captured text, which repairs a damaged one.
 */
export async function changeOfText(
  model: EmbeddingModel | null,
  memory: Pick<StoredMemory, 'url' | 'captureMode' | 'contentHash'>,
  given: string,
): Promise<NonNullable<MemoryChange['text']>> {
  const text = withoutNul(given);
  const contentHash = await contentHashOf(memory.url === null ? null : urlKey(memory.url), text);
  if (memory.captureMode === 'conversation' && contentHash !== memory.contentHash) {
    const errors = [{ pointer: '/text', message: 'cannot be changed: it is what was said' }];
    throw new RecollectError(
      'VALIDATION_FAILED',
      'The text of a conversation cannot be changed. Add a note to it instead.',
      { errors },
    );
  }
  if (text.trim() === '') {
    const errors = [{ pointer: '/text', message: 'must have at least one character that is not white space' }];
    throw new RecollectError('VALIDATION_FAILED', 'A text cannot be blank. Delete the memory instead.', { errors });
  }
  return { chunks: await splitIntoChunks(text, chunkSizesFor(model)), contentHash };
}
