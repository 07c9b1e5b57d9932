import type { SimilarWord } from './word-list.js';

/** How many chunks have a word, and how many of them also have another word of the query. */
export interface WordUse {
  chunks: number;
  together: number;
}

/**
 * In bits, how much likelier a word is with a usual slip, with the right first letter, or with twice as many chunks
 * that have another word of the query. docs/retrieval.md has what these were measured on.
 */
const LIKELIER = 3;

/**
 * How likely it is that a similar word was meant, in bits, comparable among words at the same distance. A noisy channel
 * (Kernighan, Church and Gale, "A spelling correction program based on a noisy channel model", 1990) adds how likely
 * the word is and how likely this mistyping is.
 *
 * @example
 * wordLikelihood({ hasSameStart: true, isSlip: true }, { chunks: 7, together: 0 }); // 9
 */
export function wordLikelihood(
  { hasSameStart, isSlip }: Pick<SimilarWord, 'hasSameStart' | 'isSlip'>,
  { chunks, together }: WordUse,
): number {
  return LIKELIER * (Number(isSlip) + Number(hasSameStart) + Math.log2(1 + together)) + Math.log2(1 + chunks);
}
