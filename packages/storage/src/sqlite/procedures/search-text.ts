import type { TextQuery, TextResult } from '@recollect/core';
import { distinctPhrases, MIN_TYPED_ROWS, planWords, type WordList } from '@recollect/core/threads';
import type { WorkLimit } from '../work-limit.js';
import type { All } from './all.js';
import type { Condition } from './condition.js';
import { createPhraseSearch } from './find-phrases.js';
import { beginningsOf, createMatchWithin, procliticsOf, quote, type TextRequest } from './match.js';
import type { MemoryWords } from './memory-words.js';
import { createStoredWords } from './nearest-words.js';
import { createCommentSearch, orInComments } from './search-comments.js';
import { addWithinLongerWords } from './within-words.js';
import { createStoredWordIndex, type WordIndex } from './word-index.js';

export interface TextProcedures {
  /** @param sequence the number of the newest change; null for an answer from FTS5 */
  searchText(request: TextRequest, sequence: number | null): TextResult;
  /** The condition of a request, with the phrases that memories must and must not contain. */
  narrow(request: Pick<TextRequest, 'userId' | 'query' | 'within'>): Condition | null;
  /** How many of a user's chunks contain each term, and about how many chunks there are. */
  countTerms(userId: string, terms: TextQuery['terms'], sequence: number | null): { total: number; counts: number[] };
}

/** So many memories are listed rather than looked up by each statement. */
const MAX_LISTED_MEMORIES = 2_000;

/** Full-text search by the index in memory, or by FTS5, on the calling thread. */
export function createTextProcedures(
  all: All,
  limit: Pick<WorkLimit, 'check'>,
  memoryWords: MemoryWords | null = null,
  storedWords: () => WordList = createStoredWords(all),
): TextProcedures {
  const matchWithin = createMatchWithin(all);
  const hasPhrase = createPhraseSearch(all, limit);
  const storedIndexOf = createStoredWordIndex(all);
  const value = (sql: string, parameters: readonly unknown[] = []) =>
    Object.values((all(sql, parameters)[0] ?? {}) as Record<string, unknown>)[0] as number | null | undefined;

  /** About how many rows there are. */
  const total = () => value('select max(id) from chunks') ?? 0;

  /** Does work with the rows in memory if they are there, and else with the rows of FTS5. */
  const withIndex = <Result>(userId: string, sequence: number | null, work: (index: WordIndex) => Result): Result => {
    const stored = storedIndexOf(matchWithin(userId));
    const result = sequence === null ? undefined : memoryWords?.use(sequence, { userId, stored }, work);
    return result === undefined ? work(stored) : result;
  };

  /**
   * The words of a query, quoted so that nothing in them is syntax (QRY-6). Words that an unfinished last word may
   * become are added if few rows contain it as typed, which keeps its own weight: who typed "bee" finds "bees" before
   * "been".
   */
  const toWords = (index: WordIndex, { terms, prefix }: TextQuery): string[] => {
    const words = new Set(terms.map(quote));
    if (prefix === null) return [...words];
    const typed = `"${prefix}"`;
    const rows = index.countUpTo(typed, MIN_TYPED_ROWS);
    if (rows === MIN_TYPED_ROWS) return [...words];
    const longer = beginningsOf(all, prefix).find((word) => index.countUpTo(word, 1) > 0);
    if (longer === undefined) return [...words];
    if (rows === 0) words.delete(typed);
    words.add(longer);
    return [...words];
  };

  /** Which words rank and which select, and how much of the query is known. */
  const plan = (index: WordIndex, query: TextQuery) => {
    const rows = total();
    const counted = (some: readonly string[]) => some.map((word) => ({ word, rows: index.count(word, rows) }));
    const words = counted(toWords(index, query));
    const rowsOf = new Map(words.map((word) => [word.word, word.rows]));
    const termRows = query.terms.map((term) => rowsOf.get(quote(term)) ?? 0);
    return { termRows, ...planWords(words, counted(procliticsOf(query.terms)), termRows, rows) };
  };

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

    searchText(asked, sequence) {
      const within = narrow(asked);
      const request = { ...asked, within, isNarrow: asked.isNarrow === true || within !== asked.within };
      return withIndex(request.userId, sequence, (index) => {
        const planned = plan(index, request.query);
        const { present, ranked, coverage, fullScore, weights, absent, chunks } = planned;
        const none = { hits: [], scores: new Map(), coverage, fullScore, weights, absent, chunks };
        if (present.length > 0 && ranked.length === 0) return { ...none, hits: index.newest(present, request) };
        const whole = present.length === 0 ? none : { ...none, ...index.rank(planned, request) };
        return addComments(addWithinLongerWords(whole, planned, request, { index, storedWords }), request);
      });
    },

    countTerms(userId, terms, sequence) {
      const rows = total();
      const counts = withIndex(userId, sequence, (index) => terms.map((term) => index.count(quote(term), rows)));
      return { total: rows, counts };
    },
  };
}
