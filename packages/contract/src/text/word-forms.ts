import { readWords, splitQuery } from '../query-syntax/index.js';
import { foldLetters } from './fold-letters.js';
import { searchedLetter } from './scripts.js';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

export interface Piece {
  text: string;
  isMatch: boolean;
}

/** Splits a text into pieces, of which those that match a word of the query are marked. The pieces joined are the text. */
export function markMatches(text: string, query: string): Piece[] {
  const findForm = createFormFinder(readWords(splitQuery(query).words).text.match(WORD) ?? []);
  const pieces: Piece[] = [];
  const add = (part: string, isMatch: boolean) => {
    const last = pieces.at(-1);
    if (part === '') return;
    if (last?.isMatch === isMatch) last.text += part;
    else pieces.push({ text: part, isMatch });
  };
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    add(text.slice(end, index), false);
    add(word, findForm(word) !== undefined);
    end = index + word.length;
  }
  add(text.slice(end), false);
  return pieces;
}

/** A word in lower case, without accents and in letters that everybody can type. */
export function foldWord(word: string): string {
  // Most words are plain already, and folding them all would take longer than a search.
  if (/^[a-z]*$/i.test(word)) return word.toLowerCase();
  return foldLetters(word.normalize('NFKD')).replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Makes a function that says which of some words of a query, folded, a word of a text is a form of: the same, a longer one that
 * begins with it, or one that differs in its ending. This follows the full-text index, which finds stems, closely enough for
 * marks and excerpts.
 *
 * @example
 * createFormFinder(['Running', 'tea'])('runner'); // 'running'
 */
export function createFormFinder(words: readonly string[]): (word: string) => string | undefined {
  const wanted = words.map((word) => ({ word: foldWord(word), isPart: searchedLetter.test(word) }));
  // All forms of a word have the same first letter, which rules out most words of a text.
  const initials = wanted.some(({ isPart }) => isPart) ? null : new Set(wanted.map(({ word }) => word[0]));
  return (word) => {
    const initial = word[0]?.toLowerCase() ?? '';
    if (initials !== null && initial < '\u0080' && !initials.has(initial)) return undefined;
    const folded = foldWord(word);
    return wanted.find((candidate) =>
      // Such words are parts of a run of letters.
      candidate.isPart ? folded.includes(candidate.word) : isFormOf(folded, candidate.word),
    )?.word;
  };
}

function isFormOf(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  if (word.startsWith(wanted)) return wanted.length >= 3;
  if (wanted.startsWith(word)) return word.length >= 3 && wanted.length - word.length <= 4;
  const stem = Math.max(4, Math.min(word.length, wanted.length) - 2);
  return word.slice(0, stem) === wanted.slice(0, stem) && Math.abs(word.length - wanted.length) <= 3;
}
