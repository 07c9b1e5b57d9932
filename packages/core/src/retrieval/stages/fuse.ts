export interface FusionOptions {
  /** α: the share of vectors against full text, from the model's profile. */
  weight: number;
  /** The similarity from which cosines count, from the model's profile. */
  floor: number;
  /** The share of the query's words, by their rarity, that occur in the user's texts. */
  coverage: number;
}

export interface FusedScore {
  /** In (0, 1]. */
  score: number;
  /** The share of the score that comes from full text, from 0 to 1. The rest comes from vectors. */
  textShare: number;
}

/**
 * Convex fusion with the theoretical minimum (TM2C2; Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", TOIS 2023): score = α·d + (1−α)·l. Here d is the cosine above the floor over the query's best cosine
 * above the floor, and l the BM25 over the query's best BM25. Both maps must hold the true score of every candidate
 * that has one. Without vectors, only l counts. Scores are in (0, 1]; candidates at 0 are left out.
 *
 * Dividing by the best makes the best text hit count in full, however little of the query it matched. So l is damped by
 * the root of the query's coverage: if a question of unknown words shares a chance word with some text, the vectors
 * decide.
 *
 * @example
 * fuseRankings(new Map([[1, 7.2]]), new Map([[1, 0.6], [2, 0.7]]), { weight: 0.45, floor: 0, coverage: 1 });
 */
export function fuseRankings(
  text: ReadonlyMap<number, number>,
  vectors: ReadonlyMap<number, number> | null,
  { weight, floor, coverage }: FusionOptions,
): Map<number, FusedScore> {
  const bestText = greatest(text.values());
  const bestSimilarity = greatest(vectors?.values() ?? []) - floor;
  const alpha = vectors === null ? 0 : weight;
  const damping = vectors === null ? 1 : Math.sqrt(coverage);
  const fused = new Map<number, FusedScore>();
  for (const id of new Set([...text.keys(), ...(vectors?.keys() ?? [])])) {
    const l = bestText > 0 ? Math.max(0, text.get(id) ?? 0) / bestText : 0;
    const d = bestSimilarity > 0 ? Math.max(0, (vectors?.get(id) ?? 0) - floor) / bestSimilarity : 0;
    const fromText = (1 - alpha) * damping * l;
    const score = Math.min(1, alpha * d + fromText);
    if (score > 0) fused.set(id, { score, textShare: Math.min(1, fromText / score) });
  }
  return fused;
}

/** 0 without values. Not `Math.max(...values)`: a deep search has more values than a call can take arguments. */
function greatest(values: Iterable<number>): number {
  let greatestYet = 0;
  for (const value of values) if (value > greatestYet) greatestYet = value;
  return greatestYet;
}
