import type { TextHit } from '@recollect/core';
import { MIN_SCORE, type RankingWords, rarityOf } from '@recollect/core/threads';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { prepared } from '../prepared.js';
import type { Tables } from '../tables.js';
import { type Condition, isWithin } from './condition.js';
import { inTitles, lexemeIn } from './word-queries.js';

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
  /** Null for a row that is only wanted. */
  memoryId: string | null;
  score: number;
  isWanted: boolean;
  similarity: number | null;
}

/**
 * Ranks the rows that are selected by BM25, and those whose scores are wanted, in one statement. Only scores leave the
 * database.
 */
export async function rankTexts(db: Kysely<Tables>, request: RankRequest): Promise<RankedTexts> {
  const { userId, ranked, selecting, limit, within, also, compared, needsAll = false } = request;
  const table = sql.table(request.table);
  const matching = joined(ranked, needsAll ? '&' : '|');
  const selected = needsAll ? matching : joined(within === null ? selecting : ranked, '|');
  const isAllowed =
    within === null
      ? sql``
      : sql`and t.chunk_id in (select c.id from chunks c where c.user_id = ${userId} ${isWithin(within)})`;
  const rows = (condition: RawBuilder<unknown>, isWanted: boolean) => sql`
    select t.chunk_id, t.words, t.length, ${sql.lit(isWanted)} as is_wanted
    from ${table} t where t.user_id = ${userId} and ${condition}`;
  const hits = rows(sql`t.words @@ ${selected}::tsquery ${isAllowed}`, false);
  // A subquery is hashed, and an array would be searched for each row.
  const others = sql`${hits} and t.chunk_id not in (select unnest(${also}::bigint[]))`;
  const wanted = rows(sql`t.chunk_id = any(${also}::bigint[]) and t.words @@ ${matching}::tsquery`, true);
  const similarity =
    compared === null
      ? sql`null::float8`
      : sql`(select 1 - (e.vector <=> ${compared.vector}::halfvec) from embeddings e
          where e.user_id = ${userId} and e.model_id = ${compared.modelId} and e.chunk_id = r.chunk_id)`;
  const { rows: found } = await sql<Row>`
    ${within === null ? prepared : sql``} with scored as materialized (
      select t.chunk_id, t.is_wanted, greatest(${scoreOf(request)}, ${MIN_SCORE}::float8) as score
      from (${also.length === 0 ? hits : sql`${others} union all ${wanted}`}) t
    )
    select r.chunk_id as "chunkId", r.score, false as "isWanted", ${similarity} as similarity,
      (select c.memory_id from chunks c where c.user_id = ${userId} and c.id = r.chunk_id) as "memoryId"
    from (select * from scored where not is_wanted order by score desc, chunk_id limit ${limit}) r
    union all select chunk_id, score, true, null, null from scored where is_wanted`.execute(db);
  return toRanked(found);
}

function joined(words: RankingWords['ranked'], operator: '&' | '|'): string {
  return words.map(({ word }) => `(${word})`).join(` ${operator} `);
}

/**
 * The BM25 of a row `t`. It has as many occurrences of a word as `ts_rank` tells, and one of a phrase or a group of
 * words. Few rows have a word in their title, so one condition decides whether occurrences there are counted.
 */
function scoreOf({ ranked, total, meanLength }: RankRequest): RawBuilder<unknown> {
  const { k1, b } = SATURATION;
  // SQLite's rows have one more word, the user's.
  const norm = sql`(${k1 * (1 - b)}::float8 + ${(k1 * b) / (meanLength + 1)}::float8 * (t.length + 1))`;
  const sum = (counts: (word: string) => RawBuilder<unknown>) =>
    sql.join(
      ranked.map(({ word, rows }) => {
        const most = (k1 + 1) * rarityOf(rows, total);
        return sql`coalesce(${most}::float8 / (1 + ${norm} / nullif(${counts(word)}, 0)), 0)`;
      }),
      sql` + `,
    );
  const inText = (word: string) =>
    lexemeIn(word) === null
      ? sql`(t.words @@ ${word}::tsquery)::integer`
      : sql`count_occurrences(t.words, ${word}::tsquery)`;
  const inTitle = (word: string) =>
    lexemeIn(word) === null
      ? sql`(t.words @@ ${inTitles(word)}::tsquery)::integer`
      : sql`count_in_title(t.words, ${word}::tsquery)`;
  const inBoth = (word: string) => sql`(${inText(word)} + ${TITLE_WEIGHT - 1}::integer * ${inTitle(word)})`;
  return sql`case when t.words @@ ${inTitles(joined(ranked, '|'))}::tsquery then ${sum(inBoth)} else ${sum(inText)} end`;
}

function toRanked(rows: readonly Row[]): RankedTexts {
  const hits = rows.filter(({ isWanted }) => !isWanted).sort((a, b) => b.score - a.score || a.chunkId - b.chunkId);
  return {
    hits: hits.map(({ chunkId, memoryId, score }) => ({ chunkId, memoryId: memoryId ?? '', score })),
    scores: new Map(rows.flatMap(({ chunkId, score, isWanted }) => (isWanted ? [[chunkId, score]] : []))),
    similarities: new Map(
      hits.flatMap(({ chunkId, similarity }) => (similarity === null ? [] : [[chunkId, similarity]])),
    ),
  };
}
