import {
  isAscii,
  joinGroups,
  otherSpellings,
  plainLetters,
  procliticFormsIn,
  searchedLetters,
} from '@recollect/contract/text';

const UNSPACED_RUN = new RegExp(`(?:${searchedLetters.source})+`, 'gu');
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** The parts of a name with underscores, which are the words of the index. */
const PART = /[\p{L}\p{N}\p{M}]+/gu;
/** A longer name is data, and the index would be asked for all of its parts in a row. */
const MAX_PARTS = 16;

/**
 * Normalises a text for the full-text index: writes it in plain letters (`plainLetters`), and each emoji as a word,
 * makes each character of a script without spaces a separate word, so that any part of a run is found as a phrase of
 * its characters, and adds other spellings, and words without their proclitics, at the end.
 *
 * @example
 * normaliseText('ＡＢＣ 東京'); // 'ABC  東  京 '
 */
export function normaliseText(text: string): string {
  if (isAscii(text)) return [text, ...otherSpellings(text)].join('\n');
  const folded = plainLetters(text);
  const more = [...otherSpellings(folded), ...procliticFormsIn(folded)];
  return [nameEmoji(folded).replace(searchedLetters, ' $& '), ...more].join('\n');
}

/**
 * The terms of a query over texts made by {@link normaliseText}: words, and overlapping pairs of characters for a run
 * of a script without spaces, so that a question finds a text that shares only some of its words.
 *
 * @example
 * toTerms('Tea 東京都'); // [['tea'], ['東', '京'], ['京', '都']]
 */
export function toTerms(text: string): string[][] {
  return wordsOf(joinGroups(text.normalize('NFKC')))
    .flatMap(splitName)
    .flatMap(splitWord);
}

/**
 * The words of a phrase that must stand in a text one after the other. A character of a script without spaces is a
 * word.
 *
 * @example
 * toPhrase('Waggle dance 東京'); // ['waggle', 'dance', '東', '京']
 */
export function toPhrase(text: string): string[] {
  return wordsOf(text).flatMap((word) => word.replace(searchedLetters, ' $& ').match(PART) ?? []);
}

function wordsOf(text: string): string[] {
  return nameEmoji(plainLetters(text)).toLowerCase().match(WORD) ?? [];
}

/** The index contains letters and digits only. */
function nameEmoji(text: string): string {
  return text.replace(
    EMOJI,
    (emoji) => ` emoji${Array.from(emoji, (part) => part.codePointAt(0)?.toString(16)).join('')} `,
  );
}

/** The code points of a match of {@link EMOJI}, in hexadecimal. */
const CODE_POINTS = /1f[\da-f]{3}|[23][\da-f]{3}|a[9e]/g;

/** The emoji that a word of the index stands for; any other word itself. */
export function emojiOf(word: string): string {
  const [, codes] = /^emoji([\da-f]+)$/.exec(word) ?? [];
  return codes?.replace(CODE_POINTS, (code) => String.fromCodePoint(Number.parseInt(code, 16))) ?? word;
}

function splitName(word: string): readonly string[] {
  if (!word.includes('_')) return [word];
  const parts = word.match(PART) ?? [];
  return parts.length > MAX_PARTS ? parts : [word];
}

function splitWord(word: string): string[][] {
  const terms: string[][] = [];
  let end = 0;
  for (const run of word.matchAll(UNSPACED_RUN)) {
    if (run.index > end) terms.push([word.slice(end, run.index)]);
    const characters = run[0].match(searchedLetters) ?? [];
    if (characters.length === 1) terms.push(characters);
    for (let at = 0; at + 1 < characters.length; at++) terms.push(characters.slice(at, at + 2));
    end = run.index + run[0].length;
  }
  if (end < word.length) terms.push([word.slice(end)]);
  return terms;
}
