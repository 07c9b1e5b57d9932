import type { TextHit } from '@recollect/core';
import { MIN_SCORE, type RankingWords, rarityOf } from '@recollect/core/threads';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.js';
import { type Condition, isWithin } from './condition.js';
import { inTitles, isOneWord } from './lexemes.js';

/** BM25's k1 and b as FTS5 has them: how soon more occurrences count no more, and how much the length does. */
const SATURATION = { k1: 1.2, b: 0.75 };
/** How often a word counts that is in a title. */
const TITLE_WEIGHT = 3;

/** A vector, to which the similarities of the ranked chunks are wanted. */
export interface ComparedVector {
  modelId: number;
  vector: string;
}

export interface RankRequest extends RankingWords {
  userId: string;
  table: 'chunk_text' | 'comment_text';
  total: number;
  meanLength: number;
  limit: number;
  within: Condition | null;
  /** More chunks whose scores are wanted. */
  also: readonly number[];
  /** Null if no similarities are wanted. */
  compared: ComparedVector | null;
  /** Whether a row must have all ranked words. */
  needsAll?: boolean;
}

export interface RankedTexts {
  hits: TextHit[];
  scores: Map<number, number>;
  similarities: Map<number, number>;
}

interface Row {
  chunkId: number;
  memoryId: string;
  score: number;
  isWanted: boolean;
  similarity: number | null;
}

/**
 * Ranks the rows that are selected by BM25, and those whose scores are wanted, in one statement. Only scores leave the
 * database. A text has as many occurrences of a word as `ts_rank` tells; of a phrase or a group of words, it has one.
 */
export async function rankTexts(db: Kysely<Tables>, request: RankRequest): Promise<RankedTexts> {
  const { userId, ranked, selecting, limit, within, also, compared, needsAll = false, meanLength } = request;
  const table = sql.table(request.table);
  const join = (words: RankingWords['ranked'], operator: string) =>
    words.map(({ word }) => `(${word})`).join(` ${operator} `);
  const matching = join(ranked, needsAll ? '&' : '|');
  const selected = needsAll ? matching : join(within === null ? selecting : ranked, '|');
  const queries = ranked.map(({ word }) => word);
  const { k1, b } = SATURATION;
  // SQLite's rows have one more word, the user's.
  const length = sql`(t.length + 1) / ${meanLength + 1}::float8`;
  const score = sql`(
    select sum(w.rarity * w.count * ${k1 + 1}::float8 / (w.count + ${k1}::float8 * (${1 - b}::float8 + ${b}::float8 * ${length})))
    from (
      select a.rarity, case when a.is_word
        then count_occurrences(t.words, a.query) + ${TITLE_WEIGHT - 1}::integer * count_in_title(t.words, a.query)
        else (t.words @@ a.query)::int + ${TITLE_WEIGHT - 1}::integer * (t.words @@ a.in_title)::int end as count
      from asked a
    ) w where w.count > 0)`;
  const of = (condition: RawBuilder<unknown>, isWanted: boolean) => sql`
    select t.chunk_id, greatest(${score}, ${MIN_SCORE}::float8) as score, ${sql.lit(isWanted)} as is_wanted
    from ${table} t where t.user_id = ${userId} and ${condition}`;
  const isAllowed =
    within === null
      ? sql``
      : sql`and t.chunk_id in (select c.id from chunks c where c.user_id = ${userId} ${isWithin(within)})`;
  const hits = sql`(${of(sql`t.words @@ ${selected}::tsquery ${isAllowed}`, false)}
    order by score desc, chunk_id limit ${limit + also.length})`;
  const wanted = of(sql`t.chunk_id = any(${also}::bigint[]) and t.words @@ ${matching}::tsquery`, true);
  const similarity =
    compared === null
      ? sql`null::float8`
      : sql`case when not r.is_wanted then (select 1 - (e.vector <=> ${compared.vector}::halfvec) from embeddings e
          where e.user_id = ${userId} and e.model_id = ${compared.modelId} and e.chunk_id = r.chunk_id) end`;
  const { rows } = await sql<Row>`
    with asked as materialized (
      select query::tsquery, in_title::tsquery, is_word, rarity from unnest(${queries}::text[],
        ${queries.map(inTitles)}::text[], ${queries.map(isOneWord)}::boolean[],
        ${ranked.map((word) => rarityOf(word.rows, request.total))}::float8[]) as a (query, in_title, is_word, rarity)
    )
    select r.chunk_id as "chunkId", c.memory_id as "memoryId", r.score, r.is_wanted as "isWanted",
      ${similarity} as similarity
    from (${also.length === 0 ? hits : sql`${hits} union all ${wanted}`}) r
    join chunks c on c.user_id = ${userId} and c.id = r.chunk_id
    order by r.score desc, r.chunk_id`.execute(db);
  return toRanked(rows, limit);
}

function toRanked(rows: readonly Row[], limit: number): RankedTexts {
  const wanted = rows.filter(({ isWanted }) => isWanted);
  const ids = new Set(wanted.map(({ chunkId }) => chunkId));
  const hits = rows.filter(({ chunkId, isWanted }) => !isWanted && !ids.has(chunkId)).slice(0, limit);
  return {
    hits: hits.map(({ chunkId, memoryId, score }) => ({ chunkId, memoryId, score })),
    scores: new Map(wanted.map(({ chunkId, score }) => [chunkId, score])),
    similarities: new Map(
      rows.flatMap(({ chunkId, similarity }): [number, number][] =>
        similarity === null ? [] : [[chunkId, similarity]],
      ),
    ),
  };
}
