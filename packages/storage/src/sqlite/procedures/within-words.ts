import type { TextResult } from '@recollect/core';
import {
  addWithinWords,
  type LongerWords,
  MAX_LONGER,
  partsOf,
  scoredChunks,
  type WordList,
} from '@recollect/core/threads';
import { quote, type TextRequest } from './match.js';
import type { WordIndex } from './word-index.js';

interface Planned {
  chunks: number;
  /** For each term, the rows that have it as it was typed. */
  termRows: readonly number[];
}

/** Adds texts with a term within a longer word, such as "autocomplete" for "complet". */
export function addWithinLongerWords(
  wholeWordResult: TextResult,
  { chunks, termRows }: Planned,
  request: TextRequest,
  { index, storedWords }: { index: WordIndex; storedWords: () => WordList },
): TextResult {
  const groups = partsOf(wholeWordResult, request.query.terms, termRows).flatMap(({ part, at }): LongerWords[] => {
    const words = storedWords().containing(part, MAX_LONGER.words);
    if (words.length === 0) return [];
    const word = `(${words.map((other) => quote([other])).join(' OR ')})`;
    const rows = index.count(word, chunks);
    return rows === 0 || rows > MAX_LONGER.rows ? [] : [{ word, rows, at }];
  });
  if (groups.length === 0) return wholeWordResult;
  const known = scoredChunks(wholeWordResult);
  const also = request.also.filter((id) => !known.has(id));
  const more = index.rank({ ranked: groups, selecting: groups }, { ...request, also });
  return addWithinWords(wholeWordResult, groups, more, request.limit);
}
