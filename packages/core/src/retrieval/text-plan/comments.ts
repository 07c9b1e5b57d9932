import type { TextHit, TextQuery, TextResult } from '../../ports/search.js';

/** The greatest score, relative to a full match. A text of usual length with all words has at least a third. */
const WEIGHT = 0.25;
/** The share of the words that counts as known if only comments have them. */
const COVERAGE = 0.4;
/** Longer queries are not looked for in comments: none has so many words. */
const MAX_WORDS = 16;

/** Whether comments are searched for a query. */
export function mayBeInComments({ terms }: TextQuery): boolean {
  return terms.length <= MAX_WORDS;
}

/**
 * Adds memories whose comments have all words of the query, below texts that have them. A hit is the first chunk of its
 * memory.
 *
 * @param rows the comments that have all words, with the scores of the index
 * @param options.also the chunks whose scores are wanted
 */
export function addComments(
  result: TextResult,
  rows: readonly TextHit[],
  { limit, also }: { limit: number; also: readonly number[] },
): TextResult {
  const greatest = Math.max(0, ...rows.map(({ score }) => score));
  const scores = new Map(result.scores);
  const hits = new Map(result.hits.map((hit) => [hit.chunkId, hit]));
  const inComments: number[] = [];
  for (const { chunkId, memoryId, score: own } of rows) {
    const score = WEIGHT * result.fullScore * (greatest > 0 ? Math.max(own, 0) / greatest : 1);
    if (score <= (scores.get(chunkId) ?? hits.get(chunkId)?.score ?? 0)) continue;
    inComments.push(chunkId);
    if (also.includes(chunkId)) scores.set(chunkId, score);
    else hits.set(chunkId, { chunkId, memoryId, score });
  }
  if (inComments.length === 0) return result;
  return {
    ...result,
    hits: [...hits.values()].sort((a, b) => b.score - a.score).slice(0, limit),
    scores,
    coverage: Math.max(result.coverage, COVERAGE),
    inComments,
  };
}
