import { foldLetters, procliticForms } from '@recollect/contract/text';
import type { MemoryFilter, TextQuery } from '@recollect/core';
import { completionsOf, MAX_COMPLETIONS } from '@recollect/core/threads';
import type { All } from './all.js';

import type { Condition } from './condition.js';

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
 * Makes a function that says whether all memories are of one user. The only user is looked up once a second. Each
 * search also compares the owner of every hit, by a hash or in SQLite.
 */
export function createIsAlone(all: All): (userId: string) => boolean {
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
    return onlyUser === userId;
  };
}

/**
 * Restricts searches to a user's rows. If the store has only one user, no restriction is added: the scope word is in
 * every row, and counting it would cost as much as all other words together.
 */
export function createMatchWithin(all: All, isAlone = createIsAlone(all)): (userId: string) => MatchAny {
  return (userId) => {
    if (isAlone(userId)) return (words) => words.join(' OR ');
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

/** Queries for the completions of an unfinished word. The first query with a hit is enough. */
export function beginningsOf(all: All, prefix: string): string[] {
  return completionsOf(prefix).flatMap((completion) => {
    if (completion === 'words of the texts') {
      const longer = storedCompletions(all, prefix);
      return longer.length === 0 ? [] : [anyOf(longer.map(foldLetters))];
    }
    if ('words' in completion) return [anyOf(completion.words)];
    const [beginning = '', ...more] = completion.beginnings.map((word) => `"${word}" *`);
    return [more.length === 0 ? beginning : `(${[beginning, ...more].join(' OR ')})`];
  });
}

function storedCompletions(all: All, prefix: string): string[] {
  const sql = 'select word from words where word > ? and word < ? order by word limit ?';
  const rows = all(sql, [prefix, `${prefix}\u{10ffff}`, MAX_COMPLETIONS]) as { word: string }[];
  return rows.map(({ word }) => word);
}

const anyOf = (words: readonly string[]): string => `(${words.map((word) => `"${word}"`).join(' OR ')})`;

export interface TextRequest {
  userId: string;
  query: TextQuery;
  limit: number;
  within: Condition | null;
  /** More chunks whose scores are wanted. */
  also: readonly number[];
  /** The filter that `within` has in SQL. */
  filter: MemoryFilter;
  /** Whether `within` has more conditions than the filter. False if missing. */
  isNarrow?: boolean;
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
