import { limits } from './limits.js';

const { likelyScore, closeScore, weakerResults } = limits.query;

/** The results of a search, best first, as people are shown them. */
export interface ShownResults<T> {
  strong: T[];
  /** They come after a line "Weaker matches". */
  weaker: T[];
}

/** The facts that decide the choice. */
interface Scored {
  score: number;
  match: { meaning: number };
}

/**
 * Leaves out distracting results: all but ten of the weaker results, and every one of them if none is close to the
 * query. Then the answer is "No matches".
 * A full-text hit, the only kind without a model, has at least one of the words.
 *
 * @example
 * const { strong, weaker } = shownResults([{ score: 0.02, match: { meaning: 1 } }]); // [] and []
 */
export function shownResults<T extends Scored>(results: readonly T[]): ShownResults<T> {
  const strong = results.filter(isStrong);
  return { strong, weaker: results.some(isClose) ? results.slice(strong.length, strong.length + weakerResults) : [] };
}

/** Whether a result has to do with the query: by its score, or because words alone have found it. */
export function isClose({ score, match }: Scored): boolean {
  return score >= closeScore || match.meaning === 0;
}

/** Whether a result is likely to answer the query. */
export function isStrong({ score }: { score: number }): boolean {
  return score >= likelyScore;
}
