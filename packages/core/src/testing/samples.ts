import { createId } from '../capture/create-id.js';
import { siteOf, urlKey } from '../capture/url-key.js';
import type { Memory, NewMemory } from '../memory.js';

/** What goes with a change of a memory, where a case is about something else. */
export const CHANGE = { now: '2026-01-31T12:00:00.000Z', indexing: { status: 'blocked' } } as const;

let count = 0;

/** A memory to store, with what matters to a test given and the rest made up. */
export function createNewMemory(
  given: Partial<Pick<Memory, 'title' | 'url' | 'tags' | 'note' | 'metadata' | 'capturedAt'>> &
    Partial<Pick<NewMemory, 'chunks' | 'contentHash' | 'conversation'>>,
): NewMemory {
  count += 1;
  const { title = `Memory ${count}`, url = null, tags = [], note = null, metadata = {} } = given;
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
      page: {},
      capturedAt,
      lastCapturedAt: capturedAt,
      updatedAt: capturedAt,
    },
    urlKey: url === null ? null : urlKey(url),
    site: url === null ? null : siteOf(url),
    contentHash,
    chunks,
    conversation: given.conversation ?? null,
  };
}

/** A vector of length 1 that points along the given axes alike. */
export function unitVector(dimensions: number, ...axes: number[]): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const axis of axes) vector[axis] = 1 / Math.sqrt(axes.length);
  return vector;
}
