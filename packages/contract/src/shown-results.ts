import { limits } from './limits.js';

const { likelyScore, closeScore, weakerResults } = limits.query;

/** The results of a search, best first, as people are shown them. */
export interface ShownResults<T> {
  strong: T[];
  /** They come after a line "Weaker matches". */
  weaker: T[];
}

/**
 * Leaves out what would only distract: all but ten of the weaker results, and every one of them if none is close to the query. Then
 * the answer is "Nothing that fits".
 *
 * @example
 * shownResults([{ score: 0.9 }, { score: 0.2 }]); // { strong: [{ score: 0.9 }], weaker: [{ score: 0.2 }] }
 * shownResults([{ score: 0.02 }]); // { strong: [], weaker: [] }
 */
export function shownResults<T extends { score: number }>(results: readonly T[]): ShownResults<T> {
  const strong = results.filter(isStrong);
  const isClose = results.some(({ score }) => score >= closeScore);
  return { strong, weaker: isClose ? results.slice(strong.length, strong.length + weakerResults) : [] };
}

/** Whether a result is likely to answer the query. */
export function isStrong({ score }: { score: number }): boolean {
  return score >= likelyScore;
}
