import { unspacedLetter } from './scripts.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Counts words as a reader would, including in scripts without spaces. */
export function countWords(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’.\-_][\p{L}\p{M}\p{N}]+)*/gu)) {
    count += unspacedLetter.test(run) ? [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike).length : 1;
  }
  return count;
}
