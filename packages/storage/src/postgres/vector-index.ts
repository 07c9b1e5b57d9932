import type { NearestVectors, VectorIndex } from '@recollect/core';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { Database, VectorIndexTable, VectorKey } from '../dialect.js';
import { prepared } from '../prepared.js';
import type { Tables } from '../tables.js';
import { createIsExact } from './choose-order.js';
import { type Condition, conditionOf, isWithin } from './condition.js';
import type { ModelIndexes } from './model-indexes.js';

export type StoredModel = Selectable<Tables['models']>;

/** Chunks of a filter that are compared one by one. The index would pass over all others. */
const MAX_FILTERED = 10_000;

/** A vector in pgvector's notation. */
export function toHalfvec(vector: Float32Array): string {
  return `[${vector.join()}]`;
}

/** Writes the rows of `embeddings`, two bytes per dimension. */
export const vectorIndexTable: VectorIndexTable = {
  async write(trx, rows) {
    for (const block of blocksOf(rows))
      await sql`insert into embeddings (user_id, model_id, chunk_id, vector)
        values ${sql.join(
          block.map(
            ({ userId, modelId, chunkId, vector }) =>
              sql`(${userId}, ${modelId}, ${chunkId}, ${toHalfvec(vector)}::halfvec)`,
          ),
        )}
        on conflict (user_id, model_id, chunk_id) do update set vector = excluded.vector`.execute(trx);
  },

  async remove(trx, rows) {
    const keyOf = ({ userId, modelId }: VectorKey) => JSON.stringify([userId, modelId]);
    for (const [, [first, ...more] = []] of Map.groupBy(rows, keyOf))
      if (first !== undefined)
        await sql`delete from embeddings where user_id = ${first.userId} and model_id = ${first.modelId}
          and chunk_id = any(${[first, ...more].map(({ chunkId }) => chunkId)}::bigint[])`.execute(trx);
  },
};

export interface NearestRequest {
  userId: string;
  model: StoredModel;
  /** As {@link toHalfvec} writes it. */
  vector: string;
  limit: number;
  within: Condition | null;
}

export interface VectorSearching {
  /** Null if nothing was embedded with the model. */
  findModel(name: string): Promise<StoredModel | null>;
  nearest(request: NearestRequest): Promise<Omit<NearestVectors, 'similarities'>>;
  /** The similarities of those chunks that have an embedding of the model. */
  compare(
    request: Pick<NearestRequest, 'userId' | 'model' | 'vector'>,
    chunkIds: readonly number[],
  ): Promise<Map<number, number>>;
}

export const NOTHING_NEAR: NearestVectors = { hits: [], beyond: null, similarities: new Map() };

/** Nearest vectors: exact for few chunks, and otherwise by an index of the model. */
export function createVectorIndex(
  { reader }: Database,
  modelIndexes: ModelIndexes,
): { vectorIndex: VectorIndex; searching: VectorSearching } {
  /** A cache of models, whose rows never change. */
  const models = new Map<string, StoredModel>();

  const hasFewVectors = createIsExact(reader);
  const isExact = async ({ userId, model, within }: NearestRequest): Promise<boolean> => {
    if (await hasFewVectors(userId)) return true;
    if (within !== null && (await hasFew(reader, userId, within))) return true;
    return !(await modelIndexes.ensure(model));
  };

  const searching: VectorSearching = {
    async findModel(name) {
      const cachedModel = models.get(name);
      if (cachedModel !== undefined) return cachedModel;
      const model = await reader.selectFrom('models').selectAll().where('name', '=', name).executeTakeFirst();
      if (model !== undefined) models.set(name, model);
      return model ?? null;
    },

    async nearest(request) {
      const { userId, model, vector, limit, within } = request;
      const order = (await isExact(request))
        ? // The sum keeps the planner from the index, and the place from computing the distance twice.
          { distance: sql`(e.vector <=> ${vector}::halfvec) + 0`, by: sql`distance` }
        : { distance: sql`e.vector <=> ${vector}::halfvec`, by: indexedDistance(model, vector) };
      const nearest = sql`
        select e.chunk_id, ${order.distance} as distance from embeddings e
        ${within === null ? sql`` : sql`join chunks c on c.user_id = ${userId} and c.id = e.chunk_id`}
        where e.user_id = ${userId} and e.model_id = ${sql.lit(model.id)} ${isWithin(within)}
        order by ${order.by} limit ${limit}`;
      const { rows } = await sql<{ chunkId: number; memoryId: string; similarity: number }>`
        ${within === null ? prepared : sql``} select n.chunk_id as "chunkId", c.memory_id as "memoryId", 1 - n.distance as similarity
        from (${nearest}) n join chunks c on c.user_id = ${userId} and c.id = n.chunk_id`.execute(reader);
      const hits = rows.sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId);
      return { hits, beyond: hits.length === limit ? (hits.at(-1)?.similarity ?? null) : null };
    },

    async compare({ userId, model, vector }, chunkIds) {
      if (chunkIds.length === 0) return new Map();
      const { rows } = await sql<{ id: number; similarity: number }>`
        select e.chunk_id as id, 1 - (e.vector <=> ${vector}::halfvec) as similarity from embeddings e
        where e.user_id = ${userId} and e.model_id = ${model.id} and e.chunk_id = any(${chunkIds}::bigint[])`.execute(
        reader,
      );
      return new Map(rows.map(({ id, similarity }) => [id, similarity]));
    },
  };

  const vectorIndex: VectorIndex = {
    async search(userId, modelName, vector, { limit, filter, also = [] }) {
      const model = await searching.findModel(modelName);
      if (model?.dimensions !== vector.length) return NOTHING_NEAR;
      const request = { userId, model, vector: toHalfvec(vector), limit, within: conditionOf(reader, userId, filter) };
      const [near, similarities] = await Promise.all([searching.nearest(request), searching.compare(request, also)]);
      return { ...near, similarities };
    },

    async centre(userId, modelName, memoryId) {
      const { rows } = await sql<{ centre: string | null }>`
        select avg(e.vector)::text as centre from embeddings e
        join models m on m.id = e.model_id and m.name = ${modelName}
        join chunks c on c.user_id = ${userId} and c.id = e.chunk_id and c.memory_id = ${memoryId}
        where e.user_id = ${userId}`.execute(reader);
      const centre = rows[0]?.centre ?? null;
      if (centre === null) return null;
      const mean = Float32Array.from(JSON.parse(centre) as number[]);
      const length = Math.hypot(...mean) || 1;
      return mean.map((component) => component / length);
    },

    async warmUp(modelName) {
      const model = await searching.findModel(modelName);
      if (model !== null) await modelIndexes.prepare(model);
    },
  };
  return { vectorIndex, searching };
}

/** The distance as the index of a model has it. */
export function indexedDistance({ dimensions }: StoredModel, vector: string): RawBuilder<unknown> {
  const type = sql.raw(`halfvec(${dimensions})`);
  return sql`e.vector::${type} <=> ${vector}::${type}`;
}

/** Whether the memories that a search is limited to have few chunks. */
async function hasFew(db: Kysely<Tables>, userId: string, within: Condition): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from chunks c where c.user_id = ${userId} ${isWithin(within)} limit ${MAX_FILTERED + 1}) matching`.execute(
    db,
  );
  return (rows[0]?.count ?? 0) <= MAX_FILTERED;
}
