import type { NearestVectors } from '@recollect/core';
import { prepareQuery, quantise, similarityOf } from '@recollect/in-memory-index';
import type { All } from './all.js';
import type { VectorRequest } from './vector-procedures.js';

/** How many more stored rows than wanted are compared with the unquantised query. */
const SPARE_ROWS = { share: 0.25, least: 10 };

/**
 * Nearest neighbours over int8 rows in SQL: sqlite-vec's distance functions find them, and the unquantised query orders
 * them. The rows are in a plain table, because vec0 never frees space and accepts NaN; vec0 would be a little faster
 * (docs/performance.md).
 */
export function createStoredSearch(all: All): (request: VectorRequest) => NearestVectors {
  const findNear = ({ userId, modelId, vector, limit, within }: VectorRequest) => {
    const compared = limit + Math.max(SPARE_ROWS.least, Math.ceil(SPARE_ROWS.share * limit));
    return all(
      // `cross` fixes the join order, as in the text index.
      `select c.id as chunkId, c.memory_id as memoryId, n.vector from (
        select chunk_id, vector, vec_distance_l2(vec_int8(vector), vec_int8(?)) as distance from embeddings
        where user_id = ? and model_id = ? and length(vector) = ?
        ${within === null ? '' : `and chunk_id in (select c.id from chunks c where c.user_id = ? and c.memory_id in (${within.sql}))`}
        order by distance limit ?
      ) n cross join chunks c on c.id = n.chunk_id where c.user_id = ?`,
      [
        new Uint8Array(quantise(vector).buffer),
        userId,
        modelId,
        vector.length,
        ...(within === null ? [] : [userId, ...within.parameters]),
        compared,
        userId,
      ],
    ) as { chunkId: number; memoryId: string; vector: Uint8Array }[];
  };

  return (request) => {
    const { userId, modelId, vector, limit, also } = request;
    const query = prepareQuery(vector);
    const score = (row: Uint8Array) => similarityOf(query, new Int8Array(row.buffer, row.byteOffset, row.byteLength));
    const near = limit === 0 ? [] : findNear(request);
    const others = all(
      `select chunk_id as id, vector from embeddings where user_id = ? and model_id = ? and length(vector) = ?
       and chunk_id in (select value from json_each(?))`,
      [userId, modelId, vector.length, JSON.stringify(also)],
    ) as { id: number; vector: Uint8Array }[];
    const hits = near
      .map(({ chunkId, memoryId, vector: row }) => ({ chunkId, memoryId, similarity: score(row) }))
      .sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId)
      .slice(0, limit);
    return {
      hits,
      beyond: hits.length === limit ? (hits.at(-1)?.similarity ?? null) : null,
      similarities: new Map(others.map(({ id, vector: row }) => [id, score(row)])),
    };
  };
}
