import type { Comment as SentComment } from '@recollect/contract';
import { isInstant } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { sliceText, wellFormed } from '@recollect/contract/text';
import type { Comment } from '../memory.js';
import { withoutNul } from './content.js';

const { count: MAX_COMMENTS, authorLength, characters: MAX_CHARACTERS } = limits.capture.comments;

/** The comments that a store keeps: each with words, without NUL, and all within the limits. */
export function normaliseComments(comments: readonly SentComment[]): Comment[] {
  return withinLimits(
    comments.flatMap(({ author, published, text }) => {
      const clean = withoutNul(text).trim();
      const instant = published != null && isInstant(published) ? new Date(published).toISOString() : null;
      const name = sliceText(withoutNul(author).trim(), 0, authorLength);
      const comment = { author: name, ...(instant === null ? {} : { published: instant }), text: clean };
      return clean === '' ? [] : [wellFormed(comment)];
    }),
  );
}

/**
 * Adds the comments of another capture of the same text. Keeps those that the page no longer has. Beyond the limits,
 * nothing is added.
 *
 * @example
 * mergeComments([{ author: 'Ann', text: 'Yes.' }], [{ author: 'Ann', text: 'Yes.' }, { author: 'Bob', text: 'No.' }]);
 * // Yes. and No.
 */
export function mergeComments(present: readonly Comment[], added: readonly Comment[]): readonly Comment[] {
  const keys = new Set(present.map(keyOf));
  const missing = added.filter((comment) => !keys.has(keyOf(comment)));
  if (missing.length === 0) return present;
  const merged = withinLimits([...present, ...missing]);
  return merged.length > present.length ? merged : present;
}

function withinLimits(comments: readonly Comment[]): Comment[] {
  let characters = 0;
  const end = comments.findIndex(({ text }) => {
    characters += text.length;
    return characters > MAX_CHARACTERS;
  });
  return comments.slice(0, end < 0 ? MAX_COMMENTS : Math.min(end, MAX_COMMENTS));
}

function keyOf({ author, text }: Comment): string {
  return `${author}\n${text}`;
}
