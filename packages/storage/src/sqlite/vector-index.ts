import { RecollectError, type VectorHit, type VectorIndex } from '@recollect/core';
import { sql } from 'kysely';
import { hasFilter, matchingMemories } from '../memories/filter.js';
import { meanOf, quantise, similarityOf } from '../indexing/quantise.js';
import { settleIndexing } from '../indexing/record-indexing.js';
import type { Database, Tables, Trx } from '../tables.js';

/**
 * Exact nearest neighbours over int8 rows by sqlite-vec's distance functions, in SQL. A plain table, since vec0 gives
 * no space back and accepts NaN; it would be a little faster (docs/performance.md).
 */
export function createVectorIndex({ reader, writer }: Database): VectorIndex {
  /** Models that were looked up; their rows never change. */
  const models = new Map<string, { id: number; dimensions: number }>();
  const modelOf = async (name: string, dimensions: number) => {
    const row =
      models.get(name) ??
      (await reader.selectFrom('models').select(['id', 'dimensions']).where('name', '=', name).executeTakeFirst());
    if (row !== undefined) models.set(name, row);
    return row?.dimensions === dimensions ? row : undefined;
  };

  return {
    async put(userId, modelName, embeddings, settles = null) {
      const dimensions = embeddings[0]?.vector.length;
      if (dimensions === undefined) return;
      await writer.transaction().execute(async (trx) => {
        const modelId = await ensureModel(trx, modelName, dimensions);
        const live = await liveChunks(
          trx,
          userId,
          embeddings.map(({ chunkId }) => chunkId),
        );
        const rows = embeddings
          .filter(({ chunkId, title }) => live.get(chunkId)?.title === title)
          .map(({ chunkId, vector }) => {
            checkVector(vector, dimensions);
            return { user_id: userId, model_id: modelId, chunk_id: chunkId, vector: quantise(vector) };
          });
        if (rows.length > 0) await writeEmbeddings(trx, rows);
        await markEmbedded(trx, userId, modelId, [...new Set([...live.values()].map(({ memoryId }) => memoryId))]);
        if (settles !== null) await settleIndexing(trx, userId, { ...settles, now: new Date().toISOString() });
      });
    },

    async search(userId, modelName, vector, { limit, filter }) {
      const model = await modelOf(modelName, vector.length);
      if (model === undefined) return [];
      const within = hasFilter(filter)
        ? sql`and chunk_id in (select c.id from chunks c where c.user_id = ${userId}
              and c.memory_id in (${matchingMemories(reader, userId, filter)}))`
        : sql``;
      // `cross` keeps the order, as in the text index.
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
        and chunk_id in (select value from json_each(${JSON.stringify(chunkIds)}))`.execute(reader);
      return new Map(rows.map(({ id, distance }) => [id, similarityOf(distance, vector.length)]));
    },
  };
}

async function writeEmbeddings(trx: Trx, rows: readonly Tables['embeddings'][]): Promise<void> {
  await trx
    .insertInto('embeddings')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'model_id', 'chunk_id'])
        .doUpdateSet((eb) => ({ vector: eb.ref('excluded.vector') })),
    )
    .execute();
}

async function ensureModel(trx: Trx, name: string, dimensions: number): Promise<number> {
  await trx
    .insertInto('models')
    .values({ name, dimensions })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const model = await trx.selectFrom('models').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
  if (model.dimensions !== dimensions) {
    throw new RecollectError(
      'EMBEDDING_FAILED',
      `The model made embeddings of ${dimensions} dimensions; those in the store have ${model.dimensions}. Is it another model under the same name?`,
    );
  }
  return model.id;
}

/** Which of the chunks are still there and not in the trash, with their memories. */
async function liveChunks(
  trx: Trx,
  userId: string,
  chunkIds: readonly number[],
): Promise<Map<number, { memoryId: string; title: string }>> {
  const rows = await trx
    .selectFrom('chunks')
    .innerJoin('memories', (join) =>
      join.onRef('memories.user_id', '=', 'chunks.user_id').onRef('memories.id', '=', 'chunks.memory_id'),
    )
    .select(['chunks.id', 'chunks.memory_id', 'memories.title'])
    .where('chunks.user_id', '=', userId)
    .where('memories.deleted_at', 'is', null)
    .where('chunks.id', 'in', sql<number>`(select value from json_each(${JSON.stringify(chunkIds)}))`)
    .execute();
  return new Map(rows.map(({ id, memory_id, title }) => [id, { memoryId: memory_id, title }]));
}

function checkVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions)
    throw new RecollectError('EMBEDDING_FAILED', 'The model made embeddings of different dimensions in one call.');
  if (!vector.every(Number.isFinite))
    throw new RecollectError('EMBEDDING_FAILED', 'The model made an embedding that holds a number that is not finite.');
}

/** Marks those memories of whose chunks none lacks an embedding of the model any more. */
async function markEmbedded(trx: Trx, userId: string, modelId: number, memoryIds: readonly string[]): Promise<void> {
  await sql`insert into embedded_memories (user_id, model_id, memory_id)
    select ${userId}, ${modelId}, m.value from json_each(${JSON.stringify(memoryIds)}) m
    where not exists (
      select 1 from chunks c where c.user_id = ${userId} and c.memory_id = m.value
      and not exists (
        select 1 from embeddings e
        where e.user_id = ${userId} and e.model_id = ${modelId} and e.chunk_id = c.id
      )
    ) on conflict do nothing`.execute(trx);
}
