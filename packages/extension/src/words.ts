const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Scripts that are written without spaces, in which a run of letters is many words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The number of words as a reader counts them, in scripts without spaces too. */
export function countWords(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’.\-_][\p{L}\p{M}\p{N}]+)*/gu)) {
    count += UNSPACED.test(run) ? [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike).length : 1;
  }
  return count;
}
