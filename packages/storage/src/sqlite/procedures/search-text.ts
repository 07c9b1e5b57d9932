import type { TextHit, TextQuery, TextResult } from '@recollect/core';
import type { WordList } from '@recollect/core/threads';
import type { WorkLimit } from '../work-limit.js';
import type { All } from './all.js';
import type { Condition } from './condition.js';
import { createPhraseSearch } from './find-phrases.js';
import {
  beginningsOf,
  type CountedWord,
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

/** An unfinished word counts as finished when at least this many rows contain it as typed. */
const MIN_TYPED_ROWS = 10;

/**
 * Rows of a word that are counted. If there are more, their number is estimated: counting takes as long as a search.
 */
const MAX_COUNTED_ROWS = 5_000;

/** So many memories are listed rather than looked up by each statement. */
const MAX_LISTED_MEMORIES = 2_000;

/** Counts are kept for at most so many words, until the store has grown by this share. */
const COUNT_CACHE = { words: 20_000, growth: 0.02 };

/**
 * Words are taken rarest first. BM25 is computed for each row, and counts the rows of each of its words again, so words
 * rank as long as they have `ranked` rows in total, and the rarest also with `alone`: a word in most rows changes few
 * results and costs the most. Of these words, those with `selected` rows in total select the rows that are ranked, and
 * more of them until they have `least`. On Cranfield, no word was worth more than that: nDCG@10 was .571 with these
 * numbers, with 20,000 and 2,000, and with all rows.
 */
const BUDGET = { ranked: 5_000, alone: 20_000, selected: 1_000, least: 250 };

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
    const words: CountedWord[] = toWords(matchAny, query)
      .map((word) => ({ word, rows: count(matchAny([word]), rows) }))
      .sort((a, b) => a.rows - b.rows);
    const others = procliticsOf(query.terms)
      .map((word) => ({ word, rows: count(matchAny([word]), rows) }))
      .filter((word) => word.rows > 0);
    const typed = words.filter((word) => word.rows > 0);
    const presentTerms = [...typed, ...others].sort((a, b) => a.rows - b.rows);
    const ranked = takeRarest(presentTerms, (sum, before) => sum <= (before === 0 ? BUDGET.alone : BUDGET.ranked));
    const selecting = takeRarest(ranked, (sum, before) => before < BUDGET.least || sum <= BUDGET.selected);
    const weightOf = (wordRows: number) => Math.log(1 + (rows + 0.5) / (wordRows + 0.5));
    const weight = (some: readonly CountedWord[]) => some.reduce((whole, word) => whole + weightOf(word.rows), 0);
    const rowsOf = new Map(words.map((word) => [word.word, word.rows]));
    const fullScore = [...words, ...others].reduce((sum, word) => sum + MAX_SCORE_PER_WORD * rarityOf(word, rows), 0);
    return {
      matchAny,
      presentTerms,
      ranked,
      selecting,
      fullScore,
      typedRows: (word: string) => rowsOf.get(quote([word])) ?? 0,
      weights: query.terms.map((term) => weightOf(rowsOf.get(quote(term)) ?? 0)),
      chunks: rows,
      // A word that is in a text with a proclitic only is known.
      coverage: words.length === 0 ? 0 : Math.min(1, weight(presentTerms) / weight(words)),
    };
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
      ...distinct(phrases).map((phrase) => orInComments(hasPhrase(matchAny, userId, [phrase]), userId, phrase)),
    ];
    if (excluded.length > 0) {
      const { sql, parameters } = hasPhrase(matchAny, userId, distinct(excluded));
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
      const { matchAny, presentTerms, ranked, coverage, fullScore, weights, chunks } = planned;
      const none = { hits: [], scores: new Map(), coverage, fullScore, weights, chunks };
      if (presentTerms.length === 0) return addComments(addWithinWords(none, planned, request), request);
      if (ranked.length === 0) return { ...none, hits: newest(presentTerms, matchAny, request) };
      return addComments(addWithinWords({ ...none, ...rank(planned, request) }, planned, request), request);
    },

    countTerms(userId, terms) {
      const matchAny = matchWithin(userId);
      const rows = total();
      return { total: rows, counts: terms.map((term) => count(matchAny([quote(term)]), rows)) };
    },
  };
}

/** Maximum that a word adds to FTS5's BM25, as a multiple of its rarity: k1 + 1. */
const MAX_SCORE_PER_WORD = 2.2;

/** The inverse document frequency of a word, as FTS5 computes it. */
function rarityOf({ rows }: CountedWord, total: number): number {
  return Math.max(MIN_SCORE, Math.log((Math.max(total, rows) - rows + 0.5) / (rows + 0.5)));
}

/** In FTS5 the BM25 of a word that is in more than half of the rows is 0 or less, although the row matched. */
const MIN_SCORE = 1e-6;

/**
 * The first words whose rows in total are within a budget. A word that exceeds it is left out, and so are those after
 * it.
 */
function takeRarest(words: readonly CountedWord[], isWithin: (sum: number, before: number) => boolean): CountedWord[] {
  let sum = 0;
  const end = words.findIndex(({ rows }) => {
    sum += rows;
    return !isWithin(sum, sum - rows);
  });
  return end < 0 ? [...words] : words.slice(0, end);
}

/** Phrases without those that are equal to an earlier one. */
function distinct(phrases: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()];
}

function andWithin(within: Condition | null): string {
  return within === null ? '' : `and +${isWithin(within)}`;
}
