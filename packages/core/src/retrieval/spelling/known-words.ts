import { foldWord, searchedLetter } from '@recollect/contract/text';

/**
 * Letters of words that are corrected and remembered. Shorter ones have too many neighbours, and longer ones are data.
 */
const LENGTH = { least: 4, most: 24 };
/** Letters from which on a word may have two mistakes. */
const LONG_WORD_LETTERS = 8;

const ASCII = /^[a-z]+$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const NUMBER = /\p{N}/u;

/**
 * The different words of a text, in lower case, to which a mistyped word may be corrected: words of 4 to 24 letters,
 * without digits, in scripts with spaces between words.
 *
 * @example
 * knownWords('The waggle dance of Ms Kowalczyk, 1973'); // ['waggle', 'dance', 'kowalczyk']
 */
export function knownWords(text: string): string[] {
  const words = new Set(text.normalize('NFKC').toLowerCase().match(WORD));
  return [...words].filter((word) =>
    // Most words are plain letters, which need no look at other scripts.
    ASCII.test(word)
      ? mistakesIn(word) > 0
      : !NUMBER.test(word) && mistakesIn(foldWord(word)) > 0 && !searchedLetter.test(word),
  );
}

/** How many mistakes a folded word may have: 1 with four to seven letters, 2 with more, none if it is not corrected. */
export function mistakesIn({ length }: string): number {
  if (length < LENGTH.least || length > LENGTH.most) return 0;
  return length < LONG_WORD_LETTERS ? 1 : 2;
}
