import type { TextQuery } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** What a typed beginning may be the middle of. The index holds stems, of which "runnin" is no beginning, but "running" has one. */
const ENDINGS = ['ing', 'ed', 'er', 'es', 'ies', 'ly', 'ness', 'ment', 'ation', 'ations', 'ional'];

/** Rows that hold an unfinished word as it is from which on it is taken for finished. */
const ENOUGH = 10;

/**
 * Words are taken rarest first while they have so few rows in all, and then while those fit this number or share of all
 * rows. A word that is in most rows moves few results and costs the most, since BM25 is computed for each row that holds it.
 */
const BUDGET = { least: 250, rows: 2_000, share: 0.2 };
/** Counts that are kept: of words in this many rows at least, so many of them, so long. */
const KEPT = { rows: 100, words: 20_000, milliseconds: 60_000 };

/**
 * A user's id as one word that the tokenizer leaves whole, whatever characters it is made of. It begins with a private-use
 * character, which no word of a query has, so that nobody finds a row by its scope.
 */
export function scopeOf(userId: string): string {
  return `\u{e000}${Buffer.from(userId).toString('hex')}`;
}

/** Makes a query in FTS5's syntax: any of these words, in the rows that are searched. */
export type MatchAny = (words: readonly string[]) => string;

/**
 * How to search a user's rows. Where there is one user alone, all rows are: the scope's word is in each of them, and
 * counting it would cost as much as all other words together. Who is alone is asked once a second; whose a row is, every
 * search asks of the row itself.
 */
export function createMatchWithin(db: Kysely<Tables>): (userId: string) => Promise<MatchAny> {
  let alone: string | null = null;
  let knownUntil = 0;
  return async (userId) => {
    if (performance.now() > knownUntil) {
      const { rows } = await sql<{ first: string | null; last: string | null }>`
        select min(user_id) as first, max(user_id) as last from memories`.execute(db);
      alone = rows[0]?.first === rows[0]?.last ? (rows[0]?.first ?? null) : null;
      knownUntil = performance.now() + 1_000;
    }
    if (alone === userId) return (words) => words.join(' OR ');
    return (words) => `scope : "${scopeOf(userId)}" AND {title body notes} : (${words.join(' OR ')})`;
  };
}

/**
 * The words of a query, quoted, so that nothing in them is syntax (QRY-6). An unfinished last word that few rows hold as
 * it is stands for every word that it begins: in its place, since both would count the same word twice.
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

/** What the words of a query are worth in a user's rows. */
export interface Weighed {
  /** The rarest of the words, as many as the budget has room for; null when it has room for all. */
  rarest: string[] | null;
  /** The share of the words, by their inverse document frequency, that stand in any row. */
  coverage: number;
}

/** How many rows each of these matches, and under '' how many rows there are. */
export type CountMatches = (matches: readonly string[]) => Promise<Map<string, number>>;

/**
 * Counts the rows of words. That takes as long as a search for them and common words stay common, so the counts of those
 * are kept for a minute.
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

/** Weighs the words of queries. */
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

/** The words that a beginning may grow into by a common ending, part of which may be typed already. */
function endingsOf(prefix: string): string[] {
  return ENDINGS.flatMap((ending) =>
    Array.from({ length: ending.length }, (_, typed) => typed)
      .filter((typed) => prefix.endsWith(ending.slice(0, typed)))
      .map((typed) => prefix + ending.slice(typed)),
  );
}
