import { limits } from '@recollect/contract/limits';
import { tagKey, uniqueTags } from '@recollect/contract/text';
import { RecollectError } from '../error.js';

/** Separates the notes of two captures. */
const GAP = '\n\n';

/**
 * Adds tags to the tags of a memory, each once, without regard to case.
 * Throws VALIDATION_FAILED when a memory may not have that many.
 *
 * @example
 * mergeTags(['tea', 'Green'], ['green', 'hot']); // ['tea', 'Green', 'hot']
 */
export function mergeTags(present: readonly string[], added: readonly string[]): string[] {
  const keys = new Set(present.map(tagKey));
  const tags = [...present, ...uniqueTags(added).filter((tag) => !keys.has(tagKey(tag)))];
  const { tags: most } = limits.capture;
  // A memory from an earlier version may already have more, and keeps them.
  if (tags.length <= Math.max(most, present.length)) return tags;
  throw limitError('/tags', `would make ${tags.length} tags of this memory, which may have ${most}; leave some out`);
}

/**
 * Appends a note to a memory's note, unless it is already there. Throws VALIDATION_FAILED when the result is too long.
 *
 * @example
 * mergeNotes('Bobsled', 'Bob'); // 'Bobsled\n\nBob'
 * mergeNotes('Bobsled\n\nBob', 'Bob'); // 'Bobsled\n\nBob'
 */
export function mergeNotes(present: string | null, added: string | null): string | null {
  if (added === null || present === null) return present ?? added;
  // Compares whole notes, so that "Bob" is not mistaken for a part of "Bobsled".
  if (`${GAP}${present}${GAP}`.includes(`${GAP}${added}${GAP}`)) return present;
  const note = `${present}${GAP}${added}`;
  const { noteLength: most } = limits.capture;
  if (note.length <= most) return note;
  throw limitError(
    '/note',
    `would make the note ${note.length} characters long, including the ${present.length} already stored; the limit is ${most}, so shorten it`,
  );
}

/**
 * Adds fields to the metadata of a memory, replacing fields of the same name. Throws VALIDATION_FAILED when the result
 * is too large.
 *
 * @example
 * mergeMetadata({ a: 1, b: 2 }, { b: 3 }); // { a: 1, b: 3 }
 */
export function mergeMetadata(
  present: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const metadata = { ...present, ...added };
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  const { metadataBytes: most } = limits.capture;
  if (bytes(metadata) <= Math.max(most, bytes(present))) return metadata;
  throw limitError('/metadata', 'would make the metadata of this memory larger than 64 KiB as JSON; send less of it');
}

function limitError(pointer: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}. Nothing was changed.`, {
    errors: [{ pointer, message }],
  });
}
