import { splitQuery } from '../query-syntax/index.js';

/** Scripts written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

export interface Piece {
  text: string;
  isMatch: boolean;
}

/** Splits a text into pieces, of which those that match a word of the query are marked. The pieces joined are the text. */
export function markMatches(text: string, query: string): Piece[] {
  const wanted = (splitQuery(query).words.match(WORD) ?? []).map(foldWord);
  const pieces: Piece[] = [];
  const add = (part: string, isMatch: boolean) => {
    const last = pieces.at(-1);
    if (part === '') return;
    if (last?.isMatch === isMatch) last.text += part;
    else pieces.push({ text: part, isMatch });
  };
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = foldWord(word);
    add(text.slice(end, index), false);
    add(
      word,
      wanted.some((candidate) => isFormOf(folded, candidate)),
    );
    end = index + word.length;
  }
  add(text.slice(end), false);
  return pieces;
}

/** A word in lower case and without accents. */
export function foldWord(word: string): string {
  // Most words are plain already, and folding them all would take longer than a search.
  if (/^[a-z]*$/i.test(word)) return word.toLowerCase();
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Whether a word of a text is a form of a word of a query: the same, a longer one that begins with it, or one that differs in its
 * ending. Both are folded. This follows the full-text index, which finds stems, closely enough for marks and excerpts.
 */
export function isFormOf(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  // Without spaces between them, words are parts of a run of letters.
  if (UNSPACED.test(wanted)) return word.includes(wanted);
  if (word.startsWith(wanted)) return wanted.length >= 3;
  if (wanted.startsWith(word)) return word.length >= 3 && wanted.length - word.length <= 4;
  const stem = Math.max(4, Math.min(word.length, wanted.length) - 2);
  return word.slice(0, stem) === wanted.slice(0, stem) && Math.abs(word.length - wanted.length) <= 3;
}
