import { searchedLetter, stemOf } from '@recollect/contract/text';
import type { TextQuery, TextResult } from '../../ports/search.js';
import type { CountedWord } from './plan-words.js';

/** If fewer texts than these are found, terms are looked for within longer words. */
const MIN_TEXTS = 10;
/**
 * The most longer words for a term, shortest first, and the most rows that they may have: a part of very many words
 * says nothing.
 */
export const MAX_LONGER = { words: 50, rows: 5_000 };
/** The greatest score, relative to the least of the texts that have the very words, or to a full match. */
const WEIGHT = 0.4;
/** A term of letters, four and more. */
const PART = /^[\p{L}\p{M}]{4,}$/u;

/** Longer words of the texts that contain a term. */
export interface LongerWords extends CountedWord {
  /** The place of the term in the query. */
  at: number;
}

/**
 * The terms to look for within longer words, such as "complet" in "autocomplete", with their places in the query. Most
 * queries find enough texts without them, and look for none.
 *
 * @param termRows for each term, the rows that have it as it was typed
 */
export function partsOf(
  { hits, scores }: TextResult,
  terms: TextQuery['terms'],
  termRows: readonly number[],
): { part: string; at: number }[] {
  if (hits.length + scores.size >= MIN_TEXTS) return [];
  return terms.flatMap(([word = '', ...more], at) => {
    const part = stemOf(word);
    const isPart = more.length === 0 && PART.test(part) && !searchedLetter.test(part);
    return isPart && (termRows[at] ?? 0) < MIN_TEXTS ? [{ part, at }] : [];
  });
}

/**
 * Adds texts with a term within a longer word below all others.
 *
 * @param more ranks the rows of the longer words, and gives the scores of these chunks
 */
export function addWithinWords(
  result: TextResult,
  groups: readonly LongerWords[],
  more: Pick<TextResult, 'hits' | 'scores'>,
  limit: number,
): TextResult {
  const chunkIds = scoredChunks(result);
  const hits = more.hits.filter(({ chunkId }) => !chunkIds.has(chunkId));
  const greatest = Math.max(...more.scores.values(), ...hits.map(({ score }) => score));
  const least = Math.min(result.fullScore, ...result.scores.values(), ...result.hits.map(({ score }) => score));
  const below = (score: number) => (WEIGHT * least * score) / greatest;
  return {
    ...result,
    hits: [...result.hits, ...hits.map((hit) => ({ ...hit, score: below(hit.score) }))].slice(0, limit),
    scores: new Map([...result.scores, ...Array.from(more.scores, ([id, score]) => [id, below(score)] as const)]),
    coverage: Math.max(result.coverage, WEIGHT),
    withinWords: groups.map(({ at }) => at),
  };
}

/** The chunks that a result has a score for. */
export function scoredChunks({ hits, scores }: Pick<TextResult, 'hits' | 'scores'>): Set<number> {
  return new Set([...hits.map(({ chunkId }) => chunkId), ...scores.keys()]);
}
