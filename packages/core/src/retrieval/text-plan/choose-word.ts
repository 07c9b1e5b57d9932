import { stopWords } from '@recollect/contract/text';
import { wordLikelihood } from '../spelling/correct-query.js';
import type { SimilarWord, WordList } from '../spelling/word-list.js';

/** Chunks of a word that are counted, to find which of several near words is common. */
export const MAX_COUNTED_CHUNKS = 1_000;
/** The most words near a mistyped one that are looked up in the index. */
const MAX_COMPARED_WORDS = 100;

/** A word near a mistyped one that some texts have. */
export interface NearWord {
  word: string;
  distance: number;
  likelihood: number;
}

/** The words to look up for a mistyped one, nearest first. */
export function nearWords(list: WordList, word: string): SimilarWord[] {
  return list
    .similar(word)
    .slice(0, MAX_COMPARED_WORDS)
    .filter(({ word: other }) => !stopWords.has(other));
}

/**
 * The better of the best word so far and another one, which so many chunks have, some of them together with other words
 * of the query. A word that no chunk has is none.
 */
export function chooseWord(
  best: NearWord | null,
  similar: SimilarWord,
  use: { chunks: number; together: number },
): NearWord | null {
  if (use.chunks === 0 || (best !== null && similar.distance > best.distance)) return best;
  const likelihood = wordLikelihood(similar, use);
  if (best !== null && likelihood <= best.likelihood) return best;
  return { word: similar.word, distance: similar.distance, likelihood };
}
