import type { TextResult } from '@recollect/core';
import {
  addWithinWords,
  type LongerWords,
  MAX_LONGER,
  partsOf,
  scoredChunks,
  type WordList,
} from '@recollect/core/threads';
import { type MatchAny, quote, type RankedWords, type TextRequest } from './match.js';

interface Planned {
  matchAny: MatchAny;
  chunks: number;
  /** For each term, the rows that have it as it was typed. */
  termRows: readonly number[];
}

type AddWithinWords = (wholeWordResult: TextResult, planned: Planned, request: TextRequest) => TextResult;

/** Makes a function that adds texts with a term within a longer word, such as "autocomplete" for "complet". */
export function createWithinWords(
  storedWords: () => WordList,
  {
    count,
    rank,
  }: {
    count: (match: string, rows: number) => number;
    rank: (words: RankedWords, request: TextRequest) => Pick<TextResult, 'hits' | 'scores'>;
  },
): AddWithinWords {
  return (wholeWordResult, { matchAny, chunks, termRows }, request) => {
    const groups = partsOf(wholeWordResult, request.query.terms, termRows).flatMap(({ part, at }): LongerWords[] => {
      const words = storedWords().containing(part, MAX_LONGER.words);
      if (words.length === 0) return [];
      const word = `(${words.map((other) => quote([other])).join(' OR ')})`;
      const rows = count(matchAny([word]), chunks);
      return rows === 0 || rows > MAX_LONGER.rows ? [] : [{ word, rows, at }];
    });
    if (groups.length === 0) return wholeWordResult;
    const known = scoredChunks(wholeWordResult);
    const also = request.also.filter((id) => !known.has(id));
    const more = rank({ matchAny, ranked: groups, selecting: groups }, { ...request, also });
    return addWithinWords(wholeWordResult, groups, more, request.limit);
  };
}
