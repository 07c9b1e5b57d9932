import { quantise } from '@recollect/vector-scan';
import { sql } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { VectorIndexTable } from '../dialect.js';

/** Writes the rows of `embeddings`, one byte per dimension. */
export const vectorIndexTable: VectorIndexTable = {
  async write(trx, rows) {
    for (const block of blocksOf(rows))
      await trx
        .insertInto('embeddings')
        .values(
          block.map(({ userId, modelId, chunkId, vector }) => ({
            user_id: userId,
            model_id: modelId,
            chunk_id: chunkId,
            vector: new Uint8Array(quantise(vector).buffer),
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
    if (rows.length === 0) return;
    const keys = rows.map(({ userId, modelId, chunkId }) => [userId, modelId, chunkId]);
    await sql`delete from embeddings where (user_id, model_id, chunk_id) in (
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(keys)}))`.execute(trx);
  },
};
