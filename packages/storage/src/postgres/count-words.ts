import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** Rows of a word that are counted, since each may be in another page. If there are more, their number is estimated. */
const MAX_COUNTED_ROWS = 1_000;
/** Counts are kept for at most so many words of a user, until the index has grown by this share. */
const KEPT = { words: 20_000, growth: 0.02 };
/** Users whose counts are kept, those who searched last. */
const MAX_USERS = 16;

/** What a search needs to know of a user's full-text index. */
export interface IndexSize {
  /** How many rows there are. */
  total: number;
  /** Their mean length, in words. */
  meanLength: number;
  hasComments: boolean;
}

interface Counted {
  place: number;
  rows: number;
  /** How far the rows reach that were counted, 0 to 1. */
  reach: number | null;
}

/** Counts the rows of words of a user's texts: queries, as text of the type tsquery. */
export type CountWords = (userId: string, queries: readonly string[]) => Promise<IndexSize & { rows: number[] }>;

/**
 * Makes a function that counts words, and keeps the counts: while somebody types, most words stay. Words that no row
 * has yet may come at any time.
 */
export function createCountWords(db: Kysely<Tables>): CountWords {
  const users = new Map<string, { total: number; counts: Map<string, number> }>();

  return async function countWords(userId, queries): Promise<IndexSize & { rows: number[] }> {
    const kept = users.get(userId) ?? { total: 0, counts: new Map<string, number>() };
    const missing = queries.filter((query) => !kept.counts.has(query));
    const { rows, ...size } = await countNow(db, userId, missing);
    const isOutdated =
      size.total < kept.total || size.total > kept.total * (1 + KEPT.growth) || kept.counts.size > KEPT.words;
    if (isOutdated && missing.length < queries.length) {
      users.delete(userId);
      return countWords(userId, queries);
    }
    const { total, counts } = isOutdated ? { total: size.total, counts: new Map<string, number>() } : kept;
    const counted = new Map(missing.map((query, at) => [query, rows[at] ?? 0]));
    const answer = queries.map((query) => counted.get(query) ?? kept.counts.get(query) ?? 0);
    for (const [query, count] of counted) if (count > 0) counts.set(query, count);
    users.delete(userId);
    users.set(userId, { total, counts });
    const oldest = users.keys().next().value;
    if (users.size > MAX_USERS && oldest !== undefined) users.delete(oldest);
    return { ...size, rows: answer };
  };
}

/**
 * Counts the rows of words, in one statement. Above {@link MAX_COUNTED_ROWS}, the number is an estimate from how far
 * the rows reach that were counted: they are read in the order in which they were written.
 */
async function countNow(
  db: Kysely<Tables>,
  userId: string,
  queries: readonly string[],
): Promise<IndexSize & { rows: number[] }> {
  const { rows: answer } = await sql<Counted & IndexSize>`
    with size as materialized (
      select coalesce(max(rows), 0) as total, coalesce(max(words)::float8 / greatest(max(rows), 1), 0) as mean,
        exists (select 1 from comment_text where user_id = ${userId}) as "hasComments",
        (select min(chunk_id) from chunk_text where user_id = ${userId}) as first,
        (select max(chunk_id) from chunk_text where user_id = ${userId}) as last
      from text_counts where user_id = ${userId}
    )
    select size.total, size.mean as "meanLength", size."hasComments", asked.place, counted.rows,
      (counted.last - size.first + 1)::float8 / (size.last - size.first + 1) as reach
    from size left join unnest(${queries}::text[]) with ordinality as asked (query, place) on true
    left join lateral (
      select count(*) as rows, max(chunk_id) as last from (
        select chunk_id from chunk_text where user_id = ${userId} and words @@ asked.query::tsquery
        limit ${MAX_COUNTED_ROWS}
      ) matching
    ) counted on true
    order by asked.place`.execute(db);
  const [first] = answer;
  const counts = queries.map((_, at) => estimate(answer[at]));
  if (first === undefined) return { total: 0, meanLength: 0, hasComments: false, rows: counts };
  return { total: first.total, meanLength: first.meanLength, hasComments: first.hasComments, rows: counts };
}

function estimate(counted: Counted | undefined): number {
  if (counted === undefined) return 0;
  const { rows, reach } = counted;
  if (rows < MAX_COUNTED_ROWS) return rows;
  return Math.max(MAX_COUNTED_ROWS, Math.round(MAX_COUNTED_ROWS / Math.max(reach ?? 1, 1e-6)));
}
