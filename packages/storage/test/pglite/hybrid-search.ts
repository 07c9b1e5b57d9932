import type { TextIndex } from '@recollect/core';
import type { Database, HybridSearch, VectorSearch } from '@recollect/storage';
import { sql } from 'kysely';
import { containing } from './text-index.js';

/** Asks for the nearest vectors, then for texts and the scores of those vectors, then for the similarities of those texts. */
export function createHybridSearch(
  { reader }: Database,
  textIndex: TextIndex,
  vectorSearch: VectorSearch,
): HybridSearch {
  const { search } = vectorSearch;
  return async (userId, { terms, embedded }, { limit, filter, sequence }) => {
    const found =
      embedded === null ? null : await search(userId, embedded.modelId, embedded.vector, { limit, filter, sequence });
    const { rows } = await sql<{ id: string }>`${containing(userId, terms)}`.execute(reader);
    const allowed = new Set(rows.map(({ id }) => id));
    const near = found && { ...found, hits: found.hits.filter(({ memoryId }) => allowed.has(memoryId)) };
    const nearIds = new Set(near?.hits.map(({ chunkId }) => chunkId));
    const text = await textIndex.search(userId, terms, { limit, filter, also: [...nearIds] });
    if (near === null || embedded === null) return { text, nearest: null };
    const also = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
    const options = { limit: 0, filter: {}, also, sequence };
    const { similarities } = await search(userId, embedded.modelId, embedded.vector, options);
    return { text, nearest: { hits: near.hits, similarities } };
  };
}
