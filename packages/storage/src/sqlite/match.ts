import type { TextQuery } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** Endings that a partly typed word may grow into. The index contains stems: "runnin" matches none, but "running" does. */
const ENDINGS = ['ing', 'ed', 'er', 'es', 'ies', 'ly', 'ness', 'ment', 'ation', 'ations', 'ional'];

/** An unfinished word counts as finished when at least this many rows contain it as typed. */
const ENOUGH = 10;

/**
 * Takes words rarest first until they have `least` rows in total, then while the total stays within `rows` or `share` of all
 * rows. A word in most rows changes few results and costs the most, since BM25 is computed for each row that contains it.
 */
const BUDGET = { least: 250, rows: 2_000, share: 0.2 };
/** Cached counts: only of words in at least `rows` rows, at most `words` of them, for `milliseconds`. */
const KEPT = { rows: 100, words: 20_000, milliseconds: 60_000 };

/**
 * Encodes a user's id as one word that the tokenizer does not split, whatever characters it contains. It starts with a
 * private-use character, which no query word contains, so that no query matches a scope.
 */
export function scopeOf(userId: string): string {
  return `\u{e000}${Buffer.from(userId).toString('hex')}`;
}

/** Makes an FTS5 query for any of these words, within the rows to search. */
export type MatchAny = (words: readonly string[]) => string;

/**
 * Restricts searches to a user's rows. If the store has only one user, no restriction is added: the scope word is in every row,
 * and counting it would cost as much as all other words together. The only user is looked up once a second. Every search
 * still checks whose row it returns.
 */
export function createMatchWithin(db: Kysely<Tables>): (userId: string) => Promise<MatchAny> {
  let onlyUser: string | null = null;
  let knownUntil = 0;
  return async (userId) => {
    if (performance.now() > knownUntil) {
      const { rows } = await sql<{ first: string | null; last: string | null }>`
        select min(user_id) as first, max(user_id) as last from memories`.execute(db);
      onlyUser = rows[0]?.first === rows[0]?.last ? (rows[0]?.first ?? null) : null;
      knownUntil = performance.now() + 1_000;
    }
    if (onlyUser === userId) return (words) => words.join(' OR ');
    return (words) => `scope : "${scopeOf(userId)}" AND {title body notes} : (${words.join(' OR ')})`;
  };
}

/**
 * The words of a query, quoted so that nothing in them is syntax (QRY-6). An unfinished last word that few rows contain is
 * replaced by all words that start with it. Keeping both would count the same word twice.
 */
export async function toWords(db: Kysely<Tables>, matchAny: MatchAny, { terms, prefix }: TextQuery): Promise<string[]> {
  const words = new Set(terms.map((term) => `"${term.join(' ')}"`));
  if (prefix === null || (await countRows(db, matchAny([`"${prefix}"`]), ENOUGH)) === ENOUGH) return [...words];
  const beginning = `"${prefix}" *`;
  words.delete(`"${prefix}"`);
  if ((await countRows(db, matchAny([beginning]), 1)) > 0) words.add(beginning);
  else
    words.add(
      `(${endingsOf(prefix)
        .map((word) => `"${word}"`)
        .join(' OR ')})`,
    );
  return [...words];
}

/** The words of a query, weighed by their frequency in a user's rows. */
export interface Weighed {
  /** The rarest words, as many as fit in the budget; null if all fit. */
  rarest: string[] | null;
  /** The share of the words, weighted by inverse document frequency, that occur in any row. */
  coverage: number;
}

/** Counts the rows that each of these queries matches. The entry '' is the total number of rows. */
export type CountMatches = (matches: readonly string[]) => Promise<Map<string, number>>;

/**
 * Counting takes as long as a search, and common words stay common, so their counts are cached for a minute.
 */
export function createCountMatches(db: Kysely<Tables>): CountMatches {
  let kept = new Map<string, number>();
  let keptUntil = 0;

  return async (matches) => {
    if (performance.now() > keptUntil || kept.size > KEPT.words) {
      kept = new Map();
      keptUntil = performance.now() + KEPT.milliseconds;
    }
    const unknown = matches.filter((match) => !kept.has(match));
    const { rows } = await sql<{ match: string; count: number }>`
      select value as match, (select count(*) from chunk_text where chunk_text match value) as count
      from json_each(${JSON.stringify(unknown)})
      union all select '', coalesce(max(id), 0) from chunks`.execute(db);
    const counts = new Map([...kept, ...rows.map((row): [string, number] => [row.match, row.count])]);
    for (const { match, count } of rows) if (match !== '' && count >= KEPT.rows) kept.set(match, count);
    return counts;
  };
}

export function createWordWeights(
  count: CountMatches,
): (matchAny: MatchAny, words: readonly string[]) => Promise<Weighed> {
  return async (matchAny, words) => {
    const matchOf = (word: string) => matchAny([word]);
    const counts = await count(words.map(matchOf));
    const total = counts.get('') ?? 0;
    const ranked = words
      .map((word) => ({ word, rows: counts.get(matchOf(word)) ?? 0 }))
      .sort((a, b) => a.rows - b.rows);

    const budget = Math.max(BUDGET.rows, BUDGET.share * total);
    let sum = 0;
    const rarest = ranked.filter(({ rows }) => {
      const isWanted = sum < BUDGET.least || sum + rows <= budget;
      if (isWanted) sum += rows;
      return isWanted;
    });

    const weight = (some: typeof ranked) =>
      some.reduce((whole, { rows }) => whole + Math.log(1 + (total + 0.5) / (rows + 0.5)), 0);
    const coverage = weight(ranked.filter(({ rows }) => rows > 0)) / weight(ranked);
    return { rarest: rarest.length === words.length ? null : rarest.map(({ word }) => word), coverage };
  };
}

/** How many rows match, counted up to a limit. */
async function countRows(db: Kysely<Tables>, match: string, limit: number): Promise<number> {
  const { rows } = await sql`select 1 from chunk_text where chunk_text match ${match} limit ${limit}`.execute(db);
  return rows.length;
}

/** The words that a prefix may become with a common ending, part of which may be typed already. */
function endingsOf(prefix: string): string[] {
  return ENDINGS.flatMap((ending) =>
    Array.from({ length: ending.length }, (_, typed) => typed)
      .filter((typed) => prefix.endsWith(ending.slice(0, typed)))
      .map((typed) => prefix + ending.slice(typed)),
  );
}
