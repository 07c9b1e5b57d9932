/** The share of meaning against words; flat between .35 and .55 on what was measured. */
export const ALPHA = 0.45;

/**
 * Convex fusion with the theoretical minimum (TM2C2; Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", TOIS 2023): score = α·d + (1−α)·l, where d is the cosine, floored at 0, over the query's best cosine, and
 * l the BM25 over the query's best BM25. Both maps must hold the true score of every candidate that has one. Without
 * vectors l alone counts. Scores are in (0, 1]; candidates at 0 are left out.
 *
 * Dividing by the best makes the best text hit count in full, however little of the query it matched. So l is damped by
 * the root of the query's coverage: where a question of unknown words shares a chance word with some text, meaning decides.
 */
export function fuseRankings(
  text: ReadonlyMap<number, number>,
  vectors: ReadonlyMap<number, number> | null,
  coverage = 1,
): Map<number, number> {
  const bestText = greatest(text.values());
  const bestSimilarity = greatest(vectors?.values() ?? []);
  const alpha = vectors === null ? 0 : ALPHA;
  const damping = vectors === null ? 1 : Math.sqrt(coverage);
  const fused = new Map<number, number>();
  for (const id of new Set([...text.keys(), ...(vectors?.keys() ?? [])])) {
    const l = bestText > 0 ? Math.max(0, text.get(id) ?? 0) / bestText : 0;
    const d = bestSimilarity > 0 ? Math.max(0, vectors?.get(id) ?? 0) / bestSimilarity : 0;
    const score = Math.min(1, alpha * d + (1 - alpha) * damping * l);
    if (score > 0) fused.set(id, score);
  }
  return fused;
}

/** 0 for none. A deep search has more values than a call takes arguments. */
function greatest(values: Iterable<number>): number {
  let greatestYet = 0;
  for (const value of values) if (value > greatestYet) greatestYet = value;
  return greatestYet;
}
