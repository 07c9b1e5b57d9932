import type { HybridQuery, RankedHits, TextIndex, VectorIndex } from '#core/ports/search.js';
import { fuseCandidates } from '#core/retrieval/stages/rank.js';

/** Ranks all vectors, also those that point away from the query. */
export const RANKING = { weight: 0.5, floor: -1, late: null };

/**
 * Asks the indexes of words and of vectors one after the other, and ranks their hits: what a search in both at once
 * must find, without late interaction.
 */
export async function rankSeparately(
  { textIndex, vectorIndex }: { textIndex: TextIndex; vectorIndex: VectorIndex },
  userId: string,
  { terms, embedded }: HybridQuery,
  options: Parameters<VectorIndex['search']>[3],
): Promise<RankedHits> {
  const { limit } = options;
  const near = async (also: readonly number[]) =>
    embedded && (await vectorIndex.search(userId, embedded.modelId, embedded.vector, { ...options, also }));
  const nearIds = ((await near([]))?.hits ?? []).map(({ chunkId }) => chunkId);
  const text = await textIndex.search(userId, terms, { ...options, also: nearIds });
  const nearest = await near(text.hits.map(({ chunkId }) => chunkId));
  return fuseCandidates({ text, nearest }, embedded, limit).rank(new Map());
}
