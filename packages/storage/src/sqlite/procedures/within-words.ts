import { searchedLetter, stemOf } from '@recollect/contract/text';
import type { TextResult } from '@recollect/core';
import type { WordList } from '@recollect/core/threads';
import { type MatchAny, quote, type RankedWords, type TextRequest } from './match.js';

/** If fewer texts than these are found, terms are looked for within longer words. */
const MIN_TEXTS = 10;
/**
 * The most longer words for a term, shortest first, and the most rows that they may have: a part of very many words
 * says nothing.
 */
const MAX_LOOKUPS = { words: 50, rows: 5_000 };
/** The greatest score, relative to the least of the texts that have the very words, or to a full match. */
const WEIGHT = 0.4;
/** A term of letters, four and more. */
const PART = /^[\p{L}\p{M}]{4,}$/u;

interface Planned {
  matchAny: MatchAny;
  fullScore: number;
  chunks: number;
  /** How many rows have a term as it was typed. */
  typedRows(word: string): number;
}

type AddWithinWords = (wholeWordResult: TextResult, planned: Planned, request: TextRequest) => TextResult;

/**
 * Makes a function that adds texts with a term within a longer word, such as "autocomplete" for "complet", below all
 * others. Most queries find enough texts without them, and take no longer.
 */
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
  const longerWords = (word: string, { matchAny, chunks, typedRows }: Planned) => {
    const part = stemOf(word);
    if (!PART.test(part) || searchedLetter.test(part) || typedRows(word) >= MIN_TEXTS) return null;
    const words = storedWords().containing(part, MAX_LOOKUPS.words);
    if (words.length === 0) return null;
    const match = `(${words.map((other) => quote([other])).join(' OR ')})`;
    const rows = count(matchAny([match]), chunks);
    return rows === 0 || rows > MAX_LOOKUPS.rows ? null : { word: match, rows };
  };

  return (wholeWordResult, planned, request) => {
    if (wholeWordResult.hits.length + wholeWordResult.scores.size >= MIN_TEXTS) return wholeWordResult;
    const groups = request.query.terms.flatMap(([word = '', ...more], at) => {
      const longer = more.length > 0 ? null : longerWords(word, planned);
      return longer === null ? [] : [{ ...longer, at }];
    });
    if (groups.length === 0) return wholeWordResult;
    const { matchAny, fullScore } = planned;
    const chunkIds = new Set([...wholeWordResult.hits.map(({ chunkId }) => chunkId), ...wholeWordResult.scores.keys()]);
    const also = request.also.filter((id) => !chunkIds.has(id));
    const more = rank({ matchAny, ranked: groups, selecting: groups }, { ...request, also });
    const hits = more.hits.filter(({ chunkId }) => !chunkIds.has(chunkId));
    const greatest = Math.max(...more.scores.values(), ...hits.map(({ score }) => score));
    const least = Math.min(
      fullScore,
      ...wholeWordResult.scores.values(),
      ...wholeWordResult.hits.map(({ score }) => score),
    );
    const below = (score: number) => (WEIGHT * least * score) / greatest;
    return {
      ...wholeWordResult,
      hits: [...wholeWordResult.hits, ...hits.map((hit) => ({ ...hit, score: below(hit.score) }))].slice(
        0,
        request.limit,
      ),
      scores: new Map([
        ...wholeWordResult.scores,
        ...Array.from(more.scores, ([id, score]) => [id, below(score)] as const),
      ]),
      coverage: Math.max(wholeWordResult.coverage, WEIGHT),
      withinWords: groups.map(({ at }) => at),
    };
  };
}
