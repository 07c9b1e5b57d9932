import { type ChunkEmbedding, RecollectError, type Settlement } from '@recollect/core';
import { sql } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { UserTransaction } from '../user-transaction.js';
import { settleIndexing } from './record-indexing.js';

/**
 * Stores embeddings and marks the memories that are now complete. Skips chunks that no longer exist or are in the
 * trash, and chunks whose memory's title differs from the embedded title.
 */
export async function saveEmbeddings(
  transaction: UserTransaction,
  modelName: string,
  embeddings: readonly ChunkEmbedding[],
  settles: Settlement | null,
): Promise<void> {
  const dimensions = embeddings[0]?.vector.length;
  if (dimensions === undefined) return;
  const { trx, userId, indexes, embedded } = transaction;
  const modelId = await ensureModel(transaction, modelName, dimensions);
  const live = await liveChunks(
    transaction,
    embeddings.map(({ chunkId }) => chunkId),
  );
  const rows = embeddings
    .filter(({ chunkId, title }) => live.get(chunkId)?.title === title)
    .map(({ chunkId, vector }) => {
      checkVector(vector, dimensions);
      return { userId, modelId, chunkId, vector };
    });
  if (rows.length > 0) await indexes.vectors.write(trx, rows);
  await writePassages(
    transaction,
    modelId,
    embeddings.filter(({ chunkId, title }) => live.get(chunkId)?.title === title),
  );
  for (const { chunkId } of rows) embedded.add(live.get(chunkId)?.memoryId ?? '');
  await markEmbedded(transaction, modelId, [...new Set([...live.values()].map(({ memoryId }) => memoryId))]);
  if (settles !== null) await settleIndexing(transaction, settles);
}

async function ensureModel({ trx }: UserTransaction, name: string, dimensions: number): Promise<number> {
  await trx
    .insertInto('models')
    .values({ name, dimensions })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const model = await trx.selectFrom('models').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
  if (model.dimensions !== dimensions) {
    throw new RecollectError(
      'EMBEDDING_FAILED',
      `The model returned ${dimensions} dimensions, but its vectors in the store have ${model.dimensions}. Is this a different model under the same name?`,
    );
  }
  return model.id;
}

/** Stores the passage vectors of embeddings that have some, beside these. */
async function writePassages(
  { trx, userId }: UserTransaction,
  modelId: number,
  embeddings: readonly ChunkEmbedding[],
): Promise<void> {
  const rows = embeddings.flatMap(({ chunkId, passage = null }) =>
    passage === null ? [] : [{ user_id: userId, model_id: modelId, chunk_id: chunkId, signs: passage }],
  );
  for (const block of blocksOf(rows))
    await trx
      .insertInto('passage_vectors')
      .values(block)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'model_id', 'chunk_id'])
          .doUpdateSet((eb) => ({ signs: eb.ref('excluded.signs') })),
      )
      .execute();
}

/** Which of the chunks exist outside the trash, with their memories. */
async function liveChunks(
  { trx, userId, isIn }: UserTransaction,
  chunkIds: readonly number[],
): Promise<Map<number, { memoryId: string; title: string }>> {
  const rows = await trx
    .selectFrom('chunks')
    // `cross` fixes the join order in SQLite: the other way round, it reads all memories.
    .crossJoin('memories')
    .where('memories.user_id', '=', userId)
    .whereRef('memories.id', '=', 'chunks.memory_id')
    .select(['chunks.id', 'chunks.memory_id', 'memories.title'])
    .where('chunks.user_id', '=', userId)
    .where('memories.deleted_at', 'is', null)
    .where(isIn('chunks.id', chunkIds))
    .execute();
  return new Map(rows.map(({ id, memory_id, title }) => [id, { memoryId: memory_id, title }]));
}

function checkVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions)
    throw new RecollectError('EMBEDDING_FAILED', 'The model returned vectors of different dimensions in one call.');
  if (!vector.every(Number.isFinite))
    throw new RecollectError('EMBEDDING_FAILED', 'The model returned a vector with a number that is not finite.');
}

/**
 * Marks the memories that have an embedding of the model for every chunk, and those that have passage vectors for every
 * chunk.
 */
async function markEmbedded(
  { trx, userId, isIn }: UserTransaction,
  modelId: number,
  memoryIds: readonly string[],
): Promise<void> {
  await sql`
    insert into embedded_memories (user_id, model_id, memory_id, has_passages)
    select m.user_id, cast(${modelId} as integer), m.id,
      case when exists (
        select 1 from chunks c
        left join passage_vectors p on p.user_id = ${userId} and p.chunk_id = c.id and p.model_id = ${modelId}
        where c.user_id = ${userId} and c.memory_id = m.id and p.chunk_id is null) then 0 else 1 end
    from memories m
    where m.user_id = ${userId} and ${isIn('m.id', memoryIds)} and not exists (
      select 1 from chunks c
      left join embeddings e on e.user_id = ${userId} and e.chunk_id = c.id and e.model_id = ${modelId}
      where c.user_id = ${userId} and c.memory_id = m.id and e.chunk_id is null)
    on conflict (user_id, model_id, memory_id) do update set has_passages = excluded.has_passages`.execute(trx);
}

/** The mean of quantised vectors, scaled to length 1; null if there are none. */
export function meanOf(vectors: readonly Uint8Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.length);
  for (const { buffer, byteOffset, length } of vectors) {
    for (const [index, component] of new Int8Array(buffer, byteOffset, length).entries())
      sum[index] = (sum[index] ?? 0) + component;
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((component) => component / length);
}
