import type { TextQuery } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** What a typed beginning may be the middle of. The index holds stems, of which "runnin" is no beginning, but "running" has one. */
const ENDINGS = ['ing', 'ed', 'er', 'es', 'ies', 'ly', 'ness', 'ment', 'ation', 'ations', 'ional'];

/** Rows that hold an unfinished word as it is from which on it is taken for finished. */
const ENOUGH = 10;

/**
 * How many rows of the rarest words are ranked at least, and what share of all rows: a word that is in most of them moves
 * few results and costs the most, since BM25 is computed for each row that holds it.
 */
const BUDGET = { rows: 2_000, share: 0.2 };
const KEPT = { words: 20_000, milliseconds: 60_000 };

/** A user's id as one word that the tokenizer leaves whole, whatever characters it is made of. */
export function scopeOf(userId: string): string {
  return `u${Buffer.from(userId).toString('hex')}`;
}

/** The query in FTS5's syntax: any of these words, in the user's rows. */
export function matchAny(userId: string, words: readonly string[]): string {
  return `scope : "${scopeOf(userId)}" AND {title body notes} : (${words.join(' OR ')})`;
}

/**
 * The words of a query, quoted, so that nothing in them is syntax (QRY-6). An unfinished last word that few rows hold as
 * it is stands for every word that it begins: in its place, since both would count the same word twice.
 */
export async function toWords(db: Kysely<Tables>, userId: string, { terms, prefix }: TextQuery): Promise<string[]> {
  const words = new Set(terms.map((term) => `"${term.join(' ')}"`));
  if (prefix === null || (await countRows(db, matchAny(userId, [`"${prefix}"`]), ENOUGH)) === ENOUGH) return [...words];
  const beginning = `"${prefix}" *`;
  words.delete(`"${prefix}"`);
  if ((await countRows(db, matchAny(userId, [beginning]), 1)) > 0) words.add(beginning);
  else for (const word of endingsOf(prefix)) words.add(`"${word}"`);
  return [...words];
}

/** Tells the rarest words of a query. */
export type RarestWords = (userId: string, words: readonly string[]) => Promise<string[] | null>;

/**
 * The rarest of the words, as many as the budget has room for and one at least; null when it has room for all. Counting
 * takes as long as a search, and how rare a word is changes slowly, so counts are kept for a minute.
 */
export function createRarestWords(db: Kysely<Tables>): RarestWords {
  let counts = new Map<string, number>();
  let total = 0;
  let keptUntil = 0;

  const count = async (matches: readonly string[]) => {
    if (performance.now() > keptUntil || counts.size > KEPT.words) {
      counts = new Map();
      keptUntil = performance.now() + KEPT.milliseconds;
    }
    const unknown = matches.filter((match) => !counts.has(match));
    if (unknown.length === 0) return;
    const { rows } = await sql<{ match: string; count: number; total: number | null }>`
      select value as match, (select count(*) from chunk_text where chunk_text match value) as count,
        (select max(id) from chunks) as total
      from json_each(${JSON.stringify(unknown)})`.execute(db);
    for (const row of rows) counts.set(row.match, row.count);
    total = rows[0]?.total ?? total;
  };

  return async (userId, words) => {
    const matchOf = new Map(words.map((word) => [word, matchAny(userId, [word])]));
    await count([...matchOf.values()]);
    const ranked = [...matchOf]
      .map(([word, match]) => ({ word, rows: counts.get(match) ?? 0 }))
      .sort((a, b) => a.rows - b.rows);
    const budget = Math.max(BUDGET.rows, BUDGET.share * total);
    let sum = 0;
    const rarest = ranked.filter(({ rows }, at) => {
      sum += rows;
      return at === 0 || sum <= budget;
    });
    return rarest.length === words.length ? null : rarest.map(({ word }) => word);
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
