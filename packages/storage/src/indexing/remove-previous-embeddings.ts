import type { Database } from '../dialect.js';
import type { RunTransaction, UserTransaction } from '../user-transaction.js';
import { findPending } from './embedding-state.js';
import { addRemoved } from './index-rows.js';

/** Vectors in one transaction, few enough that a waiting capture is not noticeably delayed. */
const BATCH = 500;

/**
 * Removes a user's vectors of all other models, in batches, if the model covers every live memory. Nothing reads them
 * any more: switching back to a former model embeds again.
 */
export async function removePreviousEmbeddings(
  { reader }: Database,
  run: RunTransaction,
  userId: string,
  modelName: string,
  signal?: AbortSignal,
): Promise<void> {
  const model = await reader.selectFrom('models').select('id').where('name', '=', modelName).executeTakeFirst();
  if (model === undefined) return;
  const previousModels = await reader.selectFrom('models').select('id').where('id', '<>', model.id).execute();
  for (const { id } of previousModels) {
    const some = reader.selectFrom('embeddings').select('chunk_id').where('user_id', '=', userId);
    if ((await some.where('model_id', '=', id).limit(1).executeTakeFirst()) === undefined) continue;
    if ((await findPending(reader, { userId, modelId: modelName, needs: {} }, 1)).length > 0) return;
    while (
      !signal?.aborted &&
      (await run(userId, new Date().toISOString(), (transaction) => removeBatch(transaction, id)))
    );
  }
}

/** Removes some vectors of a model. Returns whether any may be left. */
async function removeBatch(
  { trx, userId, isIn, indexes, embedded, removedChunks }: UserTransaction,
  modelId: number,
): Promise<boolean> {
  const rows = await trx
    .selectFrom('embeddings')
    .innerJoin('chunks', 'chunks.id', 'embeddings.chunk_id')
    .select(['embeddings.chunk_id', 'chunks.memory_id'])
    .where('embeddings.user_id', '=', userId)
    .where('chunks.user_id', '=', userId)
    .where('embeddings.model_id', '=', modelId)
    .orderBy('embeddings.chunk_id')
    .limit(BATCH)
    .execute();
  if (rows.length === 0) return false;
  const memoryIds = [...new Set(rows.map(({ memory_id }) => memory_id))];
  for (const id of memoryIds) embedded.add(id);
  await trx
    .deleteFrom('embedded_memories')
    .where('user_id', '=', userId)
    .where('model_id', '=', modelId)
    .where(isIn('memory_id', memoryIds))
    .execute();
  addRemoved(
    removedChunks,
    rows.map(({ chunk_id, memory_id }) => ({ memoryId: memory_id, chunkId: chunk_id })),
  );
  await indexes.vectors.remove(
    trx,
    rows.map(({ chunk_id }) => ({ userId, modelId, chunkId: chunk_id })),
  );
  return rows.length === BATCH;
}
