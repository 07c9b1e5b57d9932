const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Scripts written without spaces, where a run of letters can be many words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Counts words as a reader would, including in scripts without spaces. */
export function countWords(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’.\-_][\p{L}\p{M}\p{N}]+)*/gu)) {
    count += UNSPACED.test(run) ? [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike).length : 1;
  }
  return count;
}
