import type { TextHit, TextQuery, TextResult } from '@recollect/core';
import {
  addComments,
  addWithinWords,
  type LongerWords,
  MAX_LONGER,
  MIN_SCORE,
  mayBeInComments,
  partsOf,
  scoredChunks,
} from '@recollect/core/threads';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';
import { type Condition, isWithin } from './condition.js';
import { type CountWords, isInTexts } from './count-words.js';
import type { SearchPlan } from './plan-search.js';
import { type ComparedVector, type RankRequest, rankTexts } from './rank-texts.js';
import type { StoredWords } from './stored-words.js';
import { lexemeIn, type WordQueries } from './word-queries.js';

export interface TextRequest {
  limit: number;
  within: Condition | null;
  also: readonly number[];
  compared: ComparedVector | null;
}

/** The result, with the similarities of its chunks to the compared vector, as far as they were read. */
export interface ComparedTexts {
  text: TextResult;
  similarities: Map<number, number>;
}

/** Makes a function that searches full text as planned: most searches need one more statement. */
export function createTextSearch(db: Kysely<Tables>, countWords: CountWords, storedWords: StoredWords) {
  const rank = (plan: SearchPlan, request: TextRequest, more: Partial<RankRequest>) => {
    const { userId, total, meanLength, ranked, selecting } = plan;
    return rankTexts(db, { userId, table: 'chunk_text', total, meanLength, ranked, selecting, ...request, ...more });
  };

  const longerWords = async (plan: SearchPlan, result: TextResult): Promise<LongerWords[]> => {
    const parts = partsOf(result, plan.query.terms, plan.termRows);
    if (parts.length === 0) return [];
    const list = await storedWords.of(plan.userId);
    const groups = parts.flatMap(({ part, at }) => {
      const words = list.containing(part, MAX_LONGER.words);
      return words.length === 0 ? [] : [{ word: plan.queries.any(words), at }];
    });
    const { rows } = await countWords(
      plan.userId,
      groups.map(({ word }) => word),
    );
    return groups
      .map((group, at) => ({ ...group, rows: rows[at] ?? 0 }))
      .filter((group) => group.rows > 0 && group.rows <= MAX_LONGER.rows);
  };

  const withinWords = async (plan: SearchPlan, result: TextResult, request: TextRequest): Promise<TextResult> => {
    const groups = await longerWords(plan, result);
    if (groups.length === 0) return result;
    const known = scoredChunks(result);
    const also = request.also.filter((id) => !known.has(id));
    const more = await rank(plan, { ...request, also, compared: null }, { ranked: groups, selecting: groups });
    return addWithinWords(result, groups, more, request.limit);
  };

  const inComments = async (plan: SearchPlan, result: TextResult, request: TextRequest): Promise<TextResult> => {
    const { userId, query, queries } = plan;
    if (!plan.hasComments || !mayBeInComments(query)) return result;
    const words = await knownIn(db, userId, commentWords(query, queries));
    if (words.length === 0) return result;
    const counted = words.map((word) => ({ word, rows: 1 }));
    const { hits } = await rank(
      plan,
      { ...request, also: [], compared: null },
      { table: 'comment_text', ranked: counted, selecting: counted, needsAll: true },
    );
    return addComments(result, hits, request);
  };

  return async (plan: SearchPlan, request: TextRequest): Promise<ComparedTexts> => {
    const { present, ranked, coverage, fullScore, weights, absent, chunks } = plan;
    const none: TextResult = { hits: [], scores: new Map(), coverage, fullScore, weights, absent, chunks };
    if (present.length > 0 && ranked.length === 0)
      return { text: { ...none, hits: await newest(db, plan, request) }, similarities: new Map() };
    const { similarities, ...found } =
      ranked.length === 0
        ? { hits: [], scores: new Map<number, number>(), similarities: new Map<number, number>() }
        : await rank(plan, request, {});
    const whole = await withinWords(plan, { ...none, ...found }, request);
    return { text: await inComments(plan, whole, request), similarities };
  };
}

/**
 * For a query of words that are in so many rows that ranking would take too long: the newest rows that have every word,
 * or, if no row has, the rarest of them.
 */
async function newest(
  db: Kysely<Tables>,
  { userId, present }: SearchPlan,
  { limit, within }: TextRequest,
): Promise<TextHit[]> {
  for (const some of [present, present.slice(0, 1)]) {
    const query = some.map(({ word }) => `(${word})`).join(' & ');
    const { rows } = await sql<Omit<TextHit, 'score'>>`
      select t.chunk_id as "chunkId", c.memory_id as "memoryId"
      from chunk_text t join chunks c on c.user_id = ${userId} and c.id = t.chunk_id
      where t.user_id = ${userId} and t.words @@ ${query}::tsquery ${isWithin(within)}
      order by t.chunk_id desc limit ${limit}`.execute(db);
    if (rows.length > 0) return rows.map((row) => ({ ...row, score: MIN_SCORE }));
  }
  return [];
}

/** A query for each word, the last of which may be unfinished. */
function commentWords({ terms, prefix }: TextQuery, queries: WordQueries): string[] {
  return terms.map((term) => {
    const query = queries.phrase(term);
    return term.length === 1 && term[0] === prefix ? `${query} | ${queries.beginning([prefix])}` : query;
  });
}

/** The words that a comment or a text has. Others, such as a corrected one, do not count. */
async function knownIn(db: Kysely<Tables>, userId: string, words: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    select query from unnest(${words}::text[], ${words.map(lexemeIn)}::text[]) as asked (query, lexeme)
    where exists (select 1 from comment_text t where t.user_id = ${userId} and t.words @@ asked.query::tsquery)
      or ${isInTexts(userId)}`.execute(db);
  const known = new Set(rows.map(({ query }) => query));
  return words.filter((word) => known.has(word));
}
