import type { AcrossLanguages } from '../../ports/index.js';

/** Evidence for a result, each on a scale that is comparable across queries. */
export interface Evidence {
  /**
   * BM25 score divided by the score of a text in which every query word counts in full, 0 to 1.
   * Includes words that occur nowhere.
   */
  text: number;
  /**
   * The share of the query's words, weighted by their rarity, that the text or a fact of its memory has, 0 to 1. 1 if
   * missing.
   */
  coverage?: number;
  /** How many words the query has. */
  words?: number;
  /** The cosine of query and chunk, scaled from the model's similarity floor to 1. Null without vectors. */
  similarity: number | null;
  /** The late-interaction score. Null where it was not compared. */
  late: number | null;
  /** Chunks that were searched: among more of them, a greater similarity is chance. */
  chunks: number;
}

/**
 * Weights of logistic regressions on the best results of 5,800 queries: of six stores (docs/retrieval.md), each asked
 * its own questions, titles and words, and, as unanswerable ones, questions of others, words that occur nowhere in it,
 * absent topics and nonsense. Asked of a store that the regression had not seen, the area under the ROC curve was .989
 * to .999 with all three, .985 to .999 without late interaction, and .952 to .995 with text only.
 */
const WEIGHTS = {
  all: { text: 12, similarity: 9, late: 10, constant: -3.4 },
  hybrid: { text: 15, similarity: 12.5, constant: -2.8 },
  text: { text: 17, constant: -4.1 },
} as const;

/**
 * The power of the coverage that words count with. Without it, a word that is often in a text makes up for the others:
 * "seed" for "seed library". Without vectors, long questions have many words that are in no answer. docs/retrieval.md
 * has what this was measured on.
 */
const COVERAGE = { withMeaning: 2, alone: 1 };
/**
 * A common word also makes vectors similar. The fewer words a query has, the less the similarity says about the others.
 */
const SHARED = 12;

/** The spread of the similarities, and of the late scores, of chunks that have nothing to do with a query. */
const SPREAD = { similarity: 0.08, late: 0.07 };

/**
 * How likely it is that a result answers the query, above 0 and below 1: the score of a result. An exact title has more
 * than 0.9; below 0.3, a result is shown as a weaker match.
 *
 * @example
 * likelihoodOf({ text: 0.8, similarity: 0.77, late: 0.7, chunks: 1_000 }); // 1.00
 * likelihoodOf({ text: 0.1, similarity: 0.2, late: 0.27, chunks: 1_000 }); // 0.04
 */
export function likelihoodOf({ text, coverage = 1, words: asked = 1, similarity, late, chunks }: Evidence): number {
  const words = Math.min(1, text) * coverage ** (similarity === null ? COVERAGE.alone : COVERAGE.withMeaning);
  if (similarity === null) return logistic(WEIGHTS.text.text * words + WEIGHTS.text.constant);
  const shared = (SHARED * coverage * (1 - coverage)) / Math.max(1, asked);
  const meaning = aboveChance(similarity, SPREAD.similarity, chunks);
  if (late === null) {
    const { hybrid } = WEIGHTS;
    return logistic(hybrid.text * words + hybrid.similarity * meaning - shared + hybrid.constant);
  }
  const { all } = WEIGHTS;
  const inContext = aboveChance(late, SPREAD.late, chunks);
  return logistic(all.text * words + all.similarity * meaning + all.late * inContext - shared + all.constant);
}

/**
 * How likely it is that a result in another language than the query answers it, above 0 and below 1, as {@link
 * likelihoodOf} says for one in the same, where a lack of common words speaks against it. 0 without late interaction.
 *
 * @param weights of the model
 */
export function likelihoodAcross({ text, similarity, late, chunks }: Evidence, weights: AcrossLanguages): number {
  if (similarity === null || late === null) return 0;
  const meaning = weights.similarity * aboveChance(similarity, SPREAD.similarity, chunks);
  const inContext = weights.late * aboveChance(late, SPREAD.late, chunks);
  return logistic(meaning + inContext + weights.text * Math.min(1, text) + weights.constant);
}

/** By how much a value exceeds the greatest of so many normal deviates. */
function aboveChance(value: number, spread: number, chunks: number): number {
  return value - spread * Math.sqrt(2 * Math.log(chunks + 1));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
