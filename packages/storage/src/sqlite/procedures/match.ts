import { foldLetters, procliticForms, stemOf } from '@recollect/contract/text';
import type { TextQuery } from '@recollect/core';
import type { All } from './all.js';

import type { Condition } from './condition.js';

/**
 * Endings that a partly typed word may grow into. The index contains stems: "runnin" matches none, but "running" does.
 */
const ENDINGS = ['ing', 'ed', 'er', 'es', 'ies', 'ly', 'ness', 'ment', 'ation', 'ations', 'ional'];

/**
 * Encodes a user's id as one word that the tokenizer never splits. It starts with a
 * private-use character, which no query word contains, so that no query matches a scope.
 */
export function scopeOf(userId: string): string {
  return `\u{e000}${Buffer.from(userId).toString('hex')}`;
}

/** Makes an FTS5 query for any of these words, within the rows to search. */
export type MatchAny = (words: readonly string[]) => string;

/**
 * Restricts searches to a user's rows. If the store has only one user, no restriction is added: the scope word is in
 * every row, and counting it would cost as much as all other words together. The only user is looked up once a second.
 * Every search still checks whose row it returns.
 */
export function createMatchWithin(all: All): (userId: string) => MatchAny {
  let onlyUser: string | null = null;
  let knownUntil = 0;
  return (userId) => {
    if (performance.now() > knownUntil) {
      // Two queries, each of which looks at one end of the key. One query for both would read all rows.
      const sql = 'select (select min(user_id) from memories) as first, (select max(user_id) from memories) as last';
      const [row] = all(sql, []) as { first: string | null; last: string | null }[];
      onlyUser = row?.first === row?.last ? (row?.first ?? null) : null;
      knownUntil = performance.now() + 1_000;
    }
    if (onlyUser === userId) return (words) => words.join(' OR ');
    return (words) => `scope : "${scopeOf(userId)}" AND {title body notes} : (${words.join(' OR ')})`;
  };
}

/** A word or phrase, quoted so that nothing in it is syntax (QRY-6). */
export function quote(term: readonly string[]): string {
  return `"${term.join(' ')}"`;
}

/** The words of a query as the index has them with and without proclitics. */
export function procliticsOf(terms: TextQuery['terms']): string[] {
  const forms = terms.flatMap(([word, ...more]) => (word === undefined || more.length > 0 ? [] : procliticForms(word)));
  return [...new Set(forms)].map((form) => quote([form]));
}

/** The most words of the texts that an unfinished word may become. */
const COMPLETIONS = 50;

/**
 * Queries for the completions of an unfinished word. The first query with a hit is enough. FTS5 also stems the
 * unfinished word: for "bees" it would find "been" and "beep".
 * So a word that differs from its stem is completed from the words of the texts.
 */
export function beginningsOf(all: All, prefix: string): string[] {
  const [marked] = procliticForms(prefix);
  if (marked !== undefined) return [`("${prefix}" * OR "${marked}" *)`];
  if (stemOf(prefix) === prefix) return [`"${prefix}" *`, endingsOf(prefix)];
  const sql = 'select word from words where word > ? and word < ? order by word limit ?';
  const longer = all(sql, [prefix, `${prefix}\u{10ffff}`, COMPLETIONS]) as { word: string }[];
  return longer.length === 0 ? [] : [anyOf(longer.map(({ word }) => foldLetters(word)))];
}

/** A query for the words that a prefix may become with a common ending, part of which may be typed already. */
function endingsOf(prefix: string): string {
  const words = ENDINGS.flatMap((ending) =>
    Array.from({ length: ending.length }, (_, typed) => typed)
      .filter((typed) => prefix.endsWith(ending.slice(0, typed)))
      .map((typed) => prefix + ending.slice(typed)),
  );
  return anyOf(words);
}

const anyOf = (words: readonly string[]): string => `(${words.map((word) => `"${word}"`).join(' OR ')})`;

export interface TextRequest {
  userId: string;
  query: TextQuery;
  limit: number;
  within: Condition | null;
  /** More chunks whose scores are wanted. */
  also: readonly number[];
}

/** The condition that a row belongs to a memory that meets a filter. */
export function isWithin(within: Condition | null): string {
  if (within === null) return '1';
  return `rowid in (select c.id from chunks c where c.user_id = ? and c.memory_id in (${within.sql}))`;
}

/** The parameters of {@link isWithin}. */
export function parametersOf(userId: string, within: Condition | null): readonly unknown[] {
  return within === null ? [] : [userId, ...within.parameters];
}

export interface CountedWord {
  word: string;
  rows: number;
}

/** Words that rank, and their subset that selects the rows to rank. */
export interface RankedWords {
  matchAny: MatchAny;
  ranked: readonly CountedWord[];
  selecting: readonly CountedWord[];
}
