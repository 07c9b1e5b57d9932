import { siteOf } from '@recollect/contract/query-syntax';
import { type Memory, type NewMemory, UNOPENED } from '#core/memory.js';
import { createId } from '#core/text/create-id.js';
import { urlKey } from '#core/text/url-key.js';

/** Default options of a change, for cases that test something else. */
export const CHANGE = { now: '2026-01-31T12:00:00.000Z', indexing: { status: 'blocked' } } as const;

let count = 0;

/**
 * A memory to store. Fields that are not given get made-up values.
 *
 * @example
 * const draft = createNewMemory({ title: 'Tea', chunks: ['Green tea ', 'is steeped.'] });
 */
export function createNewMemory(
  given: Partial<
    Pick<Memory, 'title' | 'url' | 'tags' | 'note' | 'metadata' | 'isLink' | 'page' | 'capturedAt' | 'savedBy'>
  > &
    Partial<Pick<NewMemory, 'chunks' | 'contentHash' | 'conversation' | 'alternative'>>,
): NewMemory {
  count += 1;
  const { title = `Memory ${count}`, url = null, tags = [], note = null, metadata = {}, page = {} } = given;
  const { isLink = false } = given;
  const { capturedAt = '2026-01-31T12:00:00.000Z', chunks = ['Some text.'], contentHash = `hash ${count}` } = given;
  return {
    memory: {
      id: createId(new Date(capturedAt), count % 4096),
      title,
      url,
      sourceType: url === null ? 'note' : 'url',
      sourceApp: 'web',
      captureMode: 'page',
      tags,
      note,
      metadata,
      isLink,
      page,
      capturedAt,
      lastCapturedAt: capturedAt,
      updatedAt: capturedAt,
      savedBy: given.savedBy ?? null,
      ...UNOPENED,
    },
    urlKey: url === null ? null : urlKey(url),
    site: url === null ? null : siteOf(url),
    contentHash,
    chunks,
    conversation: given.conversation ?? null,
    ...(given.alternative && { alternative: given.alternative }),
  };
}

/**
 * A vector of length 1 with equal components on the given axes.
 *
 * @example
 * unitVector(4, 0); // [1, 0, 0, 0]
 */
export function unitVector(dimensions: number, ...axes: number[]): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const axis of axes) vector[axis] = 1 / Math.sqrt(axes.length);
  return vector;
}
