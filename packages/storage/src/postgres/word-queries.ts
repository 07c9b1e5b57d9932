import { createForms, type Phrase } from '@recollect/core/threads';
import { LONGEST_LEXEME, markOf, WORD } from './lexemes.js';

/** A word that no text has. */
const NOTHING = '\u{e002}';

/** Queries for words of a user's texts, as text of the type tsquery. */
export interface WordQueries {
  /** A word as the index compares it, without the mark of the user. */
  formOf: (word: string) => string;
  /** A query for a word, or for words that stand one after the other. */
  phrase(words: Phrase): string;
  /** A query for words with one of these beginnings. */
  beginning(beginnings: readonly string[]): string;
  /** A query for any of some words. */
  any(words: readonly string[]): string;
}

/** Makes the queries of one search, which has most of its words several times. */
export function createQueries(userId: string): WordQueries {
  const formOf = createForms();
  const mark = markOf(userId);
  const quoted = (form: string) => `'${mark}${form.match(WORD)?.join('').slice(0, LONGEST_LEXEME) ?? NOTHING}'`;

  return {
    formOf,
    phrase(words) {
      const parts = words.flatMap((word) => word.match(WORD) ?? []);
      return parts.length === 0 ? quoted('') : parts.map((part) => quoted(formOf(part))).join(' <-> ');
    },
    beginning: (beginnings) => beginnings.map((beginning) => `${quoted(formOf(beginning))}:*`).join(' | '),
    any: (words) => [...new Set(words.map((word) => quoted(formOf(word))))].join(' | '),
  };
}

/** The same query in titles only. */
export function inTitles(query: string): string {
  return query.replace(/('[^']*')(:\*)?/g, (_, lexeme, star = ':') => `${lexeme}${star}A`);
}

/** The lexeme of a query for one word, whose occurrences can be counted; null for other queries. */
export function lexemeIn(query: string): string | null {
  return /^'([^']*)'$/.exec(query)?.[1] ?? null;
}
