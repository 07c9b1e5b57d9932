import type { VectorHit } from '@recollect/core';
import { sql } from 'kysely';
import type { Database, VectorSearch } from '../dialect.js';
import { meanOf, quantise, similarityOf } from '../indexing/quantise.js';
import { hasFilter, matchingMemories } from '../memories/filter.js';

/**
 * Exact nearest neighbours over int8 rows by sqlite-vec's distance functions, in SQL. The rows are in a plain table, because
 * vec0 never frees space and accepts NaN; vec0 would be a little faster (docs/performance.md).
 */
export function createVectorSearch({ reader, list }: Database): VectorSearch {
  /** A cache of models, whose rows never change. */
  const models = new Map<string, { id: number; dimensions: number }>();
  const modelOf = async (name: string, dimensions: number) => {
    const row =
      models.get(name) ??
      (await reader.selectFrom('models').select(['id', 'dimensions']).where('name', '=', name).executeTakeFirst());
    if (row !== undefined) models.set(name, row);
    return row?.dimensions === dimensions ? row : undefined;
  };

  return {
    async search(userId, modelName, vector, { limit, filter }) {
      const model = await modelOf(modelName, vector.length);
      if (model === undefined) return [];
      const within = hasFilter(filter)
        ? sql`and chunk_id in (select c.id from chunks c where c.user_id = ${userId}
              and c.memory_id in (${matchingMemories(reader, userId, filter)}))`
        : sql``;
      // `cross` fixes the join order, as in the text index.
      const { rows } = await sql<{ chunkId: number; memoryId: string; distance: number }>`
        select c.id as "chunkId", c.memory_id as "memoryId", n.distance
        from (
          select chunk_id, vec_distance_l2(vec_int8(vector), vec_int8(${quantise(vector)})) as distance
          from embeddings where user_id = ${userId} and model_id = ${model.id} ${within}
          order by distance limit ${limit}
        ) n cross join chunks c on c.id = n.chunk_id where c.user_id = ${userId}
        order by n.distance`.execute(reader);
      return rows.map(
        ({ chunkId, memoryId, distance }): VectorHit => ({
          chunkId,
          memoryId,
          similarity: similarityOf(distance, vector.length),
        }),
      );
    },

    async centre(userId, modelName, memoryId) {
      const rows = await reader
        .selectFrom('embeddings')
        .innerJoin('models', 'models.id', 'embeddings.model_id')
        .innerJoin('chunks', 'chunks.id', 'embeddings.chunk_id')
        .select('embeddings.vector')
        .where('embeddings.user_id', '=', userId)
        .where('models.name', '=', modelName)
        .where('chunks.user_id', '=', userId)
        .where('chunks.memory_id', '=', memoryId)
        .execute();
      return meanOf(rows.map(({ vector }) => vector));
    },

    async similarities(userId, modelName, vector, chunkIds) {
      const model = await modelOf(modelName, vector.length);
      if (model === undefined) return new Map();
      const { rows } = await sql<{ id: number; distance: number }>`
        select chunk_id as id, vec_distance_l2(vec_int8(vector), vec_int8(${quantise(vector)})) as distance
        from embeddings where user_id = ${userId} and model_id = ${model.id}
        and chunk_id in ${list.numbers(chunkIds)}`.execute(reader);
      return new Map(rows.map(({ id, distance }) => [id, similarityOf(distance, vector.length)]));
    },
  };
}
