import { createHash } from 'node:crypto';
import { normaliseText } from '@recollect/core';
import { createForms, type Phrase } from '@recollect/core/threads';

/** What FTS5's tokenizer takes for a word, so that both databases find the same texts. */
export const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** The longest word that is indexed. PostgreSQL's limit is in bytes, at most three for a code unit. */
export const LONGEST_LEXEME = 600;
/** The last place that PostgreSQL keeps. */
const LAST_POSITION = 16_383;
/** Places between two fields, so that no phrase is found across them. */
const GAP = 8;
/** The first words of a chunk's body that are stored apart, for phrases that begin in the chunk before it. */
const OPENING = 4;
/** Characters of a mark: 262,144 different ones. */
const MARK = 3;

/**
 * The beginning of a user's lexemes. It keeps the rows of a word apart in the index, which all users share: a search
 * would read the rows of the others. Two users may have the same mark, so statements also have a condition on the user.
 */
export function markOf(userId: string): string {
  return createHash('sha256').update(userId).digest('base64').slice(0, MARK);
}

/** The words of a text as the index has them: stems in plain letters. */
export function lexemesOf(text: string, formOf = createForms()): string[] {
  const words = normaliseText(text).toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => formOf(word).slice(0, LONGEST_LEXEME) || []);
}

/** The texts of a row of the index. */
export interface IndexedTexts {
  title: string;
  body: string;
  notes: string;
}

/** The columns of a row of the index. */
export interface Lexemes {
  /** A tsvector as text. Words of the title have the label A. */
  words: string;
  length: number;
  opening: string;
}

/** Gives each word of some fields its places, and the mark of its user. */
export function toLexemes({ title, body, notes }: IndexedTexts, mark: string, formOf = createForms()): Lexemes {
  const places = new Map<string, string[]>();
  let position = 1;
  let length = 0;
  const add = (lexemes: readonly string[], label: string) => {
    for (const lexeme of lexemes) {
      const list = places.get(lexeme);
      const place = `${Math.min(position++, LAST_POSITION)}${label}`;
      if (list === undefined) places.set(lexeme, [place]);
      else list.push(place);
    }
    length += lexemes.length;
    position += GAP;
  };
  const bodyLexemes = lexemesOf(body, formOf);
  add(lexemesOf(title, formOf), 'A');
  add(bodyLexemes, '');
  add(lexemesOf(notes, formOf), '');
  return {
    words: Array.from(places, ([lexeme, list]) => `'${mark}${lexeme}':${list.join()}`).join(' '),
    length,
    opening: openingOf(bodyLexemes.slice(0, OPENING)),
  };
}

/** The beginning of a body, for comparison with {@link opensWith}. */
function openingOf(lexemes: readonly string[]): string {
  return lexemes.map((lexeme) => `${lexeme} `).join('');
}

/** The pattern of bodies that begin with some words. */
export function opensWith(words: Phrase, formOf: (word: string) => string): string {
  return `${openingOf(words.map(formOf))}%`;
}
