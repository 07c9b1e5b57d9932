import { type Kysely, sql } from 'kysely';
import { prepared } from '../prepared.js';
import type { Tables } from '../tables.js';
import { lexemeIn } from './word-queries.js';

/** Rows of a word from which on the kept count is used. Rows of rarer words are counted, which takes less than 1 ms. */
const COMMON = 250;
/** Rows of a query that are counted. If there are more, their number is estimated. */
const MAX_COUNTED_ROWS = 1_000;

/** What a search needs to know of a user's full-text index. */
export interface IndexSize {
  /** How many rows there are. */
  total: number;
  /** Their mean length, in words. */
  meanLength: number;
  hasComments: boolean;
}

interface Counted {
  rows: number;
  /** How far the rows reach that were counted, 0 to 1. Null for a kept count. */
  reach: number | null;
}

/** Counts the rows of words of a user's texts: queries, as text of the type tsquery. */
export type CountWords = (userId: string, queries: readonly string[]) => Promise<IndexSize & { rows: number[] }>;

/**
 * Makes a function that counts words in one statement. Counts of common words are kept with the writes. They lack what
 * was written since they were last summed up, which is a small share of a common word.
 */
export function createCountWords(db: Kysely<Tables>): CountWords {
  return async (userId, queries) => {
    const { rows: answer } = await sql<Counted & IndexSize>`
      ${prepared} with size as materialized (
        select coalesce(max(rows), 0) as total, coalesce(max(words)::float8 / greatest(max(rows), 1), 0) as mean,
          exists (select 1 from comment_text where user_id = ${userId}) as "hasComments",
          (select min(chunk_id) from chunk_text where user_id = ${userId}) as first,
          (select max(chunk_id) from chunk_text where user_id = ${userId}) as last
        from text_counts where user_id = ${userId}
      ), counted as (
        select asked.place, case when kept.rows is null then (
          select array[count(*), max(chunk_id)] from (
            select chunk_id from chunk_text where user_id = ${userId} and words @@ asked.query::tsquery
            limit ${MAX_COUNTED_ROWS}
          ) matching
        ) else array[kept.rows] end as rows
        from unnest(${queries}::text[], ${queries.map(lexemeIn)}::text[]) with ordinality as asked (query, lexeme, place)
        left join lexeme_counts kept
          on kept.user_id = ${userId} and kept.lexeme = asked.lexeme and kept.rows >= ${COMMON}
      )
      select size.total, size.mean as "meanLength", size."hasComments", counted.rows[1] as rows,
        (counted.rows[2] - size.first + 1)::float8 / (size.last - size.first + 1) as reach
      from size left join counted on true
      order by counted.place`.execute(db);
    const [first] = answer;
    const rows = queries.map((_, at) => estimate(answer[at]));
    if (first === undefined) return { total: 0, meanLength: 0, hasComments: false, rows };
    return { total: first.total, meanLength: first.meanLength, hasComments: first.hasComments, rows };
  };
}

/** Rows are read about in the order in which they were written, so that more follow after those that were counted. */
function estimate(counted: Counted | undefined): number {
  if (counted === undefined) return 0;
  const { rows, reach } = counted;
  if (reach === null || rows < MAX_COUNTED_ROWS) return rows;
  return Math.max(MAX_COUNTED_ROWS, Math.round(MAX_COUNTED_ROWS / Math.max(reach, 1e-6)));
}

/** A condition: whether the user has a text with the word of a column `lexeme`, or else of a column `query`. */
export function isInTexts(userId: string) {
  return sql`(exists (select 1 from lexeme_counts k
      where k.user_id = ${userId} and k.lexeme = asked.lexeme and k.rows >= ${COMMON})
    or exists (select 1 from chunk_text t where t.user_id = ${userId} and t.words @@ asked.query::tsquery))`;
}
