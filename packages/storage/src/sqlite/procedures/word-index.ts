import type { TextHit, TextResult } from '@recollect/core';
import { type CountedWord, MIN_SCORE, type RankingWords } from '@recollect/core/threads';
import type { All } from './all.js';
import type { Condition } from './condition.js';
import { isWithin, type MatchAny, parametersOf, type TextRequest } from './match.js';

/** Counts and ranks a user's rows by words, each written as FTS5 is asked for it (`quote`). */
export interface WordIndex {
  /** How many rows have a word; an estimate if they are many. @param rows about how many rows there are */
  count(word: string, rows: number): number;
  /** The same, up to a limit. */
  countUpTo(word: string, limit: number): number;
  /** Ranks the rows that are selected, and those whose scores are wanted. */
  rank(words: RankingWords, request: TextRequest): Pick<TextResult, 'hits' | 'scores'>;
  /**
   * For a query of words that are in so many rows that ranking would take too long: the newest rows that have every
   * word, or, if no row has, the rarest of them.
   */
  newest(words: readonly CountedWord[], request: TextRequest): TextHit[];
}

/** Weights of scope, title, body and notes: the scope only restricts, and a word in the title counts three times. */
const RANK = '-bm25(chunk_text, 0, 3, 1, 1)';

/**
 * Rows of a word that are counted. If there are more, their number is estimated: counting takes as long as a search.
 */
export const MAX_COUNTED_ROWS = 5_000;

/**
 * Counts of at least `rows` rows are cached for at most `words` words, until the store grows by `growth`. Smaller
 * counts are cheap, and may drop to zero.
 */
const COUNT_CACHE = { rows: 100, words: 20_000, growth: 0.02 };

/** Makes a function that gives a user's rows in FTS5, on the calling thread. */
export function createStoredWordIndex(all: All): (matchAny: MatchAny) => WordIndex {
  let countCache = { rows: 0, counts: new Map<string, number>() };

  /**
   * How many rows match. Counts are kept: while somebody types, most words stay.
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
    if (rowCount >= COUNT_CACHE.rows) countCache.counts.set(match, rowCount);
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

  const newestWith = (match: string, { userId, limit, within }: TextRequest): TextHit[] => {
    const rows = all(
      `select c.id as chunkId, c.memory_id as memoryId from (
        select rowid as id from chunk_text where chunk_text match ? ${andWithin(within)} order by rowid desc limit ?
      ) r cross join chunks c on c.id = r.id where c.user_id = ?`,
      [match, ...parametersOf(userId, within), limit, userId],
    ) as Omit<TextHit, 'score'>[];
    return rows.map((row) => ({ ...row, score: MIN_SCORE }));
  };

  return (matchAny) => ({
    count: (word, rows) => count(matchAny([word]), rows),
    countUpTo: (word, limit) =>
      all('select 1 from chunk_text where chunk_text match ? limit ?', [matchAny([word]), limit]).length,

    newest(words, request) {
      for (const some of [words, words.slice(0, 1)]) {
        const hits = newestWith(matchAny([`(${some.map(({ word }) => word).join(' AND ')})`]), request);
        if (hits.length > 0) return hits;
      }
      return [];
    },

    rank({ ranked, selecting }, { userId, limit, within, also }) {
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
    },
  });
}

function andWithin(within: Condition | null): string {
  return within === null ? '' : `and +${isWithin(within)}`;
}
