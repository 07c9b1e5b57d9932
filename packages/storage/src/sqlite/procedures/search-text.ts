import type { TextHit, TextQuery, TextResult } from '@recollect/core';
import {
  type CountedWord,
  distinctPhrases,
  MIN_SCORE,
  MIN_TYPED_ROWS,
  planWords,
  type WordList,
} from '@recollect/core/threads';
import type { WorkLimit } from '../work-limit.js';
import type { All } from './all.js';
import type { Condition } from './condition.js';
import { createPhraseSearch } from './find-phrases.js';
import {
  beginningsOf,
  createMatchWithin,
  isWithin,
  type MatchAny,
  parametersOf,
  procliticsOf,
  quote,
  type RankedWords,
  type TextRequest,
} from './match.js';

import { createStoredWords } from './nearest-words.js';

import { createCommentSearch, orInComments } from './search-comments.js';
import { createWithinWords } from './within-words.js';

export interface TextProcedures {
  searchText(request: TextRequest): TextResult;
  /** The condition of a request, with the phrases that memories must and must not contain. */
  narrow(request: Pick<TextRequest, 'userId' | 'query' | 'within'>): Condition | null;
  /** How many of a user's chunks contain each term, and about how many chunks there are. */
  countTerms(userId: string, terms: TextQuery['terms']): { total: number; counts: number[] };
}

/** Weights of scope, title, body and notes: the scope only restricts, and a word in the title counts three times. */
const RANK = '-bm25(chunk_text, 0, 3, 1, 1)';

/**
 * Rows of a word that are counted. If there are more, their number is estimated: counting takes as long as a search.
 */
const MAX_COUNTED_ROWS = 5_000;

/** So many memories are listed rather than looked up by each statement. */
const MAX_LISTED_MEMORIES = 2_000;

/** Counts are kept for at most so many words, until the store has grown by this share. */
const COUNT_CACHE = { words: 20_000, growth: 0.02 };

/** Full-text search by FTS5, on the calling thread. */
export function createTextProcedures(
  all: All,
  limit: Pick<WorkLimit, 'check'>,
  storedWords: () => WordList = createStoredWords(all),
): TextProcedures {
  const matchWithin = createMatchWithin(all);
  const hasPhrase = createPhraseSearch(all, limit);
  const value = (sql: string, parameters: readonly unknown[] = []) =>
    Object.values((all(sql, parameters)[0] ?? {}) as Record<string, unknown>)[0] as number | null | undefined;

  /** About how many rows there are. */
  const total = () => value('select max(id) from chunks') ?? 0;

  let countCache = { rows: 0, counts: new Map<string, number>() };

  /**
   * How many rows match. Counts are kept: while somebody types, most words stay. Words that no row has yet may come at
   * any time.
   */
  const count = (match: string, rows: number): number => {
    const isOutdated =
      rows < countCache.rows ||
      rows > countCache.rows * (1 + COUNT_CACHE.growth) ||
      countCache.counts.size > COUNT_CACHE.words;
    if (isOutdated) countCache = { rows, counts: new Map() };
    const cachedCount = countCache.counts.get(match);
    if (cachedCount !== undefined) return cachedCount;
    const rowCount = countNow(match, rows);
    if (rowCount > 0) countCache.counts.set(match, rowCount);
    return rowCount;
  };

  /** Above {@link MAX_COUNTED_ROWS}, an estimate from how far the rows reach that were counted. */
  const countNow = (match: string, rows: number): number => {
    const [counted] = all(
      'select count(*) as count, max(id) as last from (select rowid as id from chunk_text where chunk_text match ? limit ?)',
      [match, MAX_COUNTED_ROWS],
    ) as { count: number; last: number | null }[];
    if (counted === undefined || counted.count < MAX_COUNTED_ROWS) return counted?.count ?? 0;
    return Math.max(MAX_COUNTED_ROWS, Math.round((MAX_COUNTED_ROWS * rows) / Math.max(1, counted.last ?? rows)));
  };

  /**
   * The words of a query, quoted so that nothing in them is syntax (QRY-6). Words that an unfinished last word may
   * become are added if few rows contain it as typed, which keeps its own weight: who typed "bee" finds "bees" before
   * "been".
   */
  const toWords = (matchAny: MatchAny, { terms, prefix }: TextQuery): string[] => {
    const words = new Set(terms.map(quote));
    if (prefix === null) return [...words];
    const rowsOf = (match: string, limit: number) =>
      all('select 1 from chunk_text where chunk_text match ? limit ?', [match, limit]).length;
    const typed = `"${prefix}"`;
    const rows = rowsOf(matchAny([typed]), MIN_TYPED_ROWS);
    if (rows === MIN_TYPED_ROWS) return [...words];
    const longer = beginningsOf(all, prefix).find((match) => rowsOf(matchAny([match]), 1) > 0);
    if (longer === undefined) return [...words];
    if (rows === 0) words.delete(typed);
    words.add(longer);
    return [...words];
  };

  /** Which words rank and which select, and how much of the query is known. */
  const plan = (userId: string, query: TextQuery) => {
    const matchAny = matchWithin(userId);
    const rows = total();
    const counted = (some: readonly string[]) => some.map((word) => ({ word, rows: count(matchAny([word]), rows) }));
    const words = counted(toWords(matchAny, query));
    const rowsOf = new Map(words.map((word) => [word.word, word.rows]));
    const termRows = query.terms.map((term) => rowsOf.get(quote(term)) ?? 0);
    return { matchAny, termRows, ...planWords(words, counted(procliticsOf(query.terms)), termRows, rows) };
  };

  /**
   * For a query of words that are in so many rows that ranking would take too long: the newest rows that have every
   * word, or, if no row has, the rarest of them.
   */
  const newest = (
    words: readonly CountedWord[],
    matchAny: MatchAny,
    { userId, limit, within }: TextRequest,
  ): TextHit[] => {
    for (const some of [words, words.slice(0, 1)]) {
      const match = matchAny([`(${some.map(({ word }) => word).join(' AND ')})`]);
      const rows = all(
        `select c.id as chunkId, c.memory_id as memoryId from (
          select rowid as id from chunk_text where chunk_text match ? ${andWithin(within)} order by rowid desc limit ?
        ) r cross join chunks c on c.id = r.id where c.user_id = ?`,
        [match, ...parametersOf(userId, within), limit, userId],
      ) as Omit<TextHit, 'score'>[];
      if (rows.length > 0) return rows.map((row) => ({ ...row, score: MIN_SCORE }));
    }
    return [];
  };

  /** Ranks the rows that are selected, and those whose scores are wanted, in one pass. */
  const rank = (
    { ranked, selecting, matchAny }: RankedWords,
    { userId, limit, within, also }: TextRequest,
  ): Pick<TextResult, 'hits' | 'scores'> => {
    const match = (words: readonly CountedWord[]) => matchAny(words.map(({ word }) => word));
    const wanted = JSON.stringify(also);
    // With a filter, the rows of the rarest words may all be outside it.
    const isSelected = within === null && selecting.length < ranked.length;
    const selection = isSelected
      ? 'rowid in (select rowid from chunk_text where chunk_text match ?)'
      : isWithin(within);
    const selected = isSelected ? [match(selecting)] : parametersOf(userId, within);
    // A left join fixes the order: with statistics from when the store was small, SQLite would search again for every
    // chunk. The plus keeps it from looking up each row separately, which would count every word's rows each time. Of
    // the chunks whose scores are wanted, everything else is known.
    const rows = all(
      `select r.id as chunkId, c.memory_id as memoryId, max(r.score, ${MIN_SCORE}) as score, r.isWanted from (
        select rowid as id, ${RANK} as score, +rowid in (select value from json_each(?)) as isWanted
        from chunk_text where chunk_text match ?
        and (+${selection} or +rowid in (select value from json_each(?)))
        order by isWanted desc, score desc limit ?
      ) r left join chunks c on r.isWanted = 0 and c.id = r.id where r.isWanted = 1 or c.user_id = ? order by score desc`,
      [wanted, match(ranked), ...selected, wanted, limit + also.length, userId],
    ) as (TextHit & { isWanted: number })[];
    const hits = rows.filter(({ isWanted }) => isWanted === 0).slice(0, limit);
    return {
      hits: hits.map(({ chunkId, memoryId, score }) => ({ chunkId, memoryId, score })),
      scores: new Map(rows.filter(({ isWanted }) => isWanted === 1).map(({ chunkId, score }) => [chunkId, score])),
    };
  };

  const addWithinWords = createWithinWords(storedWords, { count, rank });
  const addComments = createCommentSearch(all);

  const findNarrow = ({
    userId,
    query: { phrases = [], excluded = [] },
    within,
  }: Parameters<TextProcedures['narrow']>[0]): Condition => {
    const matchAny = matchWithin(userId);
    const conditions: Condition[] = [
      { sql: 'user_id = ?', parameters: [userId] },
      ...(within === null ? [] : [{ ...within, sql: `id in (${within.sql})` }]),
      ...distinctPhrases(phrases).map((phrase) => orInComments(hasPhrase(matchAny, userId, [phrase]), userId, phrase)),
    ];
    if (excluded.length > 0) {
      const { sql, parameters } = hasPhrase(matchAny, userId, distinctPhrases(excluded));
      conditions.push({ sql: `not ${sql}`, parameters });
    }
    const condition = {
      sql: `select id from memories where ${conditions.map(({ sql }) => sql).join(' and ')}`,
      parameters: conditions.flatMap(({ parameters }) => parameters),
    };
    const memories = all(`${condition.sql} limit ?`, [...condition.parameters, MAX_LISTED_MEMORIES + 1]) as {
      id: string;
    }[];
    if (memories.length > MAX_LISTED_MEMORIES) return condition;
    return { sql: 'select value from json_each(?)', parameters: [JSON.stringify(memories.map(({ id }) => id))] };
  };

  let narrowed: { key: string; condition: Condition } | null = null;

  /** Kept for the next call, since a search that goes deeper asks the same again. */
  const narrow: TextProcedures['narrow'] = ({ userId, query, within }) => {
    const { phrases = [], excluded = [] } = query;
    if (phrases.length + excluded.length === 0) return within;
    const state = all('select total_changes() as own, data_version as others from pragma_data_version', []);
    const key = JSON.stringify([state, userId, phrases, excluded, within]);
    if (narrowed?.key !== key) narrowed = { key, condition: findNarrow({ userId, query, within }) };
    return narrowed.condition;
  };

  return {
    narrow,

    searchText(asked) {
      const request = { ...asked, within: narrow(asked) };
      const planned = plan(request.userId, request.query);
      const { matchAny, present, ranked, coverage, fullScore, weights, chunks } = planned;
      const none = { hits: [], scores: new Map(), coverage, fullScore, weights, chunks };
      if (present.length === 0) return addComments(addWithinWords(none, planned, request), request);
      if (ranked.length === 0) return { ...none, hits: newest(present, matchAny, request) };
      return addComments(addWithinWords({ ...none, ...rank(planned, request) }, planned, request), request);
    },

    countTerms(userId, terms) {
      const matchAny = matchWithin(userId);
      const rows = total();
      return { total: rows, counts: terms.map((term) => count(matchAny([quote(term)]), rows)) };
    },
  };
}

function andWithin(within: Condition | null): string {
  return within === null ? '' : `and +${isWithin(within)}`;
}
