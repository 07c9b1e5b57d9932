/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source})+`, 'gu');
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/**
 * Normalises a text for the full-text index: applies NFKC, and makes each character of a script without spaces a
 * separate word, so that any part of a run is found as a phrase of its characters.
 *
 * @example
 * normaliseText('ＡＢＣ 東京'); // 'ABC  東  京 '
 */
export function normaliseText(text: string): string {
  return text.normalize('NFKC').replace(UNSPACED, ' $& ');
}

/**
 * The terms of a query over texts made by {@link normaliseText}: words, and overlapping pairs of characters for a run
 * of a script without spaces, so that a question finds a text that shares only some of its words.
 *
 * @example
 * toTerms('Tea 東京都'); // [['tea'], ['東', '京'], ['京', '都']]
 */
export function toTerms(text: string): string[][] {
  return (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).flatMap(splitWord);
}

function splitWord(word: string): string[][] {
  const terms: string[][] = [];
  let end = 0;
  for (const run of word.matchAll(UNSPACED_RUN)) {
    if (run.index > end) terms.push([word.slice(end, run.index)]);
    const characters = run[0].match(UNSPACED) ?? [];
    if (characters.length === 1) terms.push(characters);
    for (let at = 0; at + 1 < characters.length; at++) terms.push(characters.slice(at, at + 2));
    end = run.index + run[0].length;
  }
  if (end < word.length) terms.push([word.slice(end)]);
  return terms;
}
