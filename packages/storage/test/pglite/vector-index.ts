import type { VectorIndex } from '@recollect/core';
import type { Database, Tables, VectorIndexTable } from '@recollect/storage';
import type { Kysely } from 'kysely';

/** Stores vectors as float32 in `bytea` and compares them with plain arithmetic. */
export const vectorIndexTable: VectorIndexTable = {
  async write(trx, rows) {
    await trx
      .insertInto('embeddings')
      .values(
        rows.map(({ userId, modelId, chunkId, vector }) => ({
          user_id: userId,
          model_id: modelId,
          chunk_id: chunkId,
          vector: new Uint8Array(Float32Array.from(vector).buffer),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'model_id', 'chunk_id'])
          .doUpdateSet((eb) => ({ vector: eb.ref('excluded.vector') })),
      )
      .execute();
  },

  async remove(trx, rows) {
    for (const { userId, modelId, chunkId } of rows) {
      await trx
        .deleteFrom('embeddings')
        .where('user_id', '=', userId)
        .where('model_id', '=', modelId)
        .where('chunk_id', '=', chunkId)
        .execute();
    }
  },
};

export function createVectorIndex({ reader }: Database): VectorIndex {
  const similaritiesTo = async (userId: string, modelId: string, vector: Float32Array) =>
    (await vectorsOf(reader, userId, modelId))
      .filter((row) => row.vector.length === vector.length)
      .map((row) => ({ ...row, similarity: dot(row.vector, vector) }));

  return {
    async search(userId, modelId, vector, { limit, also = [] }) {
      const all = await similaritiesTo(userId, modelId, vector);
      const hits = all
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, limit)
        .map(({ chunkId, memoryId, similarity }) => ({ chunkId, memoryId, similarity }));
      const others = all.filter(({ chunkId }) => also.includes(chunkId));
      const beyond = hits.length === limit ? (hits.at(-1)?.similarity ?? null) : null;
      return { hits, beyond, similarities: new Map(others.map(({ chunkId, similarity }) => [chunkId, similarity])) };
    },

    async centre(userId, modelId, memoryId) {
      const rows = (await vectorsOf(reader, userId, modelId)).filter((row) => row.memoryId === memoryId);
      const [first] = rows;
      if (first === undefined) return null;
      const sum = first.vector.map((_, at) => rows.reduce((total, { vector }) => total + (vector[at] ?? 0), 0));
      const length = Math.hypot(...sum) || 1;
      return sum.map((component) => component / length);
    },
  };
}

async function vectorsOf(reader: Kysely<Tables>, userId: string, modelName: string) {
  const rows = await reader
    .selectFrom('embeddings')
    .innerJoin('models', 'models.id', 'embeddings.model_id')
    .innerJoin('chunks', 'chunks.id', 'embeddings.chunk_id')
    .select(['embeddings.chunk_id', 'chunks.memory_id', 'embeddings.vector'])
    .where('embeddings.user_id', '=', userId)
    .where('models.name', '=', modelName)
    .execute();
  return rows.map(({ chunk_id, memory_id, vector }) => ({
    chunkId: chunk_id,
    memoryId: memory_id,
    vector: new Float32Array(Uint8Array.from(vector).buffer),
  }));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, at) => sum + component * (b[at] ?? 0), 0);
}
