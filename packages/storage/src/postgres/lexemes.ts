import { normaliseText } from '@recollect/core';
import { createForms, type Phrase } from '@recollect/core/threads';

/** What FTS5's tokenizer takes for a word, so that both databases find the same texts. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Limits of a word, which PostgreSQL has in bytes, at most three for a code unit, and of a place. */
const LIMITS = { length: 600, position: 16_383 };
/** Places between two fields, so that no phrase is found across them. */
const GAP = 8;
/** The first words of a chunk's body that are stored apart, for phrases that begin in the chunk before it. */
const OPENING = 4;

/** A word that no text has. */
const NOTHING = '\u{e002}';

/** The words of a text as the index has them: stems in plain letters. */
export function lexemesOf(text: string, formOf = createForms()): string[] {
  const words = normaliseText(text).toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => formOf(word).slice(0, LIMITS.length) || []);
}

/** The columns of a row of the index. */
export interface Lexemes {
  /** A tsvector as text. Words of the title have the label A. */
  words: string;
  length: number;
  opening: string;
}

/** Gives each word of some fields its places. */
export function toLexemes(title: string, body: string, notes: string, formOf = createForms()): Lexemes {
  const places = new Map<string, string[]>();
  let position = 1;
  let length = 0;
  const add = (lexemes: readonly string[], label: string) => {
    for (const lexeme of lexemes) {
      const list = places.get(lexeme);
      const place = `${Math.min(position++, LIMITS.position)}${label}`;
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
    words: Array.from(places, ([lexeme, list]) => `'${lexeme}':${list.join()}`).join(' '),
    length,
    opening: openingOf(bodyLexemes.slice(0, OPENING)),
  };
}

/** The beginning of a body, for comparison with {@link endsIn}. */
function openingOf(lexemes: readonly string[]): string {
  return lexemes.map((lexeme) => `${lexeme} `).join('');
}

/** The pattern of bodies that begin with some words. */
export function opensWith(words: Phrase, formOf: (word: string) => string): string {
  return `${openingOf(words.map(formOf))}%`;
}

/** A query for a word, or for words that stand one after the other. */
export function phraseQuery(words: Phrase, formOf: (word: string) => string): string {
  const parts = words.flatMap((word) => word.match(WORD) ?? []);
  return parts.length === 0 ? quoted('') : parts.map((part) => quoted(formOf(part))).join(' <-> ');
}

/** A query for words with one of these beginnings. */
export function beginningQuery(beginnings: readonly string[], formOf: (word: string) => string): string {
  return beginnings.map((beginning) => `${quoted(formOf(beginning))}:*`).join(' | ');
}

/** A query for any of some words. */
export function anyQuery(words: readonly string[], formOf: (word: string) => string): string {
  return [...new Set(words.map((word) => quoted(formOf(word))))].join(' | ');
}

/** The same query in titles only. */
export function inTitles(query: string): string {
  return query.replace(/('[^']*')(:\*)?/g, (_, lexeme, star = ':') => `${lexeme}${star}A`);
}

/** Whether a query is one word, whose occurrences can be counted. */
export function isOneWord(query: string): boolean {
  return /^'[^']*'$/.test(query);
}

function quoted(form: string): string {
  return `'${form.match(WORD)?.join('').slice(0, LIMITS.length) ?? NOTHING}'`;
}
