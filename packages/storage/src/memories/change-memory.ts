import type { IndexingDraft, MemoryStore } from '@recollect/core';
import { removeEmbeddings, removeTextRows, replaceTextRows, writeTextRows } from '../indexing/index-rows.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { readStoreTime } from '../time/store-time.js';
import type { UserTransaction } from '../user-transaction.js';
import { chunksOf, live } from './live.js';
import { memoryColumns, toMemory } from './row.js';
import { replaceTags } from './tags.js';

type Change = Parameters<MemoryStore['update']>[2];
type Updated = Awaited<ReturnType<MemoryStore['update']>>;
type Restored = Awaited<ReturnType<MemoryStore['restore']>>;

/** Changes the given fields, and the index rows with them. A new title drops the embeddings. Null if unknown. */
export async function updateMemory(
  transaction: UserTransaction,
  id: string,
  change: Change,
  indexing: IndexingDraft,
): Promise<Updated> {
  const { trx, userId, now } = transaction;
  const row = await live(trx, userId).select(memoryColumns).where('memories.id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const before = toMemory(row);
  const given = typeof change === 'function' ? change(before) : change;
  const { title = before.title, tags = before.tags, note = before.note, metadata = before.metadata } = given;
  if (Object.values(given).every((value) => value === undefined)) return { indexingJobId: null };
  await trx
    .updateTable('memories')
    .set({ title, tags: JSON.stringify(tags), note, metadata: JSON.stringify(metadata), updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  if (given.tags !== undefined) await replaceTags(transaction, id, tags);
  const isIndexed = given.title !== undefined || given.tags !== undefined || given.note !== undefined;
  if (isIndexed) await replaceTextRows(transaction, { id, title, tags, note }, await chunksOf(trx, userId, id));
  if (title === before.title) return { indexingJobId: null };
  await removeEmbeddings(transaction, id);
  return { indexingJobId: await addIndexing(transaction, indexing, 1) };
}

/** Moves to the trash and out of every index. False if unknown. */
export async function trashMemory(transaction: UserTransaction, id: string): Promise<boolean> {
  const { trx, userId, now } = transaction;
  const elapsed = await readStoreTime(trx, now);
  const { numUpdatedRows } = await trx
    .updateTable('memories')
    .set({ deleted_at: now, deleted_elapsed: elapsed, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await removeTextRows(transaction, id, await chunksOf(trx, userId, id));
  await removeEmbeddings(transaction, id);
  return true;
}

/** Takes out of the trash and back into full text. */
export async function restoreMemory(
  transaction: UserTransaction,
  id: string,
  indexing: IndexingDraft,
): Promise<Restored> {
  const { trx, userId, now } = transaction;
  const row = await trx
    .selectFrom('memories')
    .select(memoryColumns)
    .select('content_hash')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  if (row === undefined) return 'unknown';
  const twin = await live(trx, userId).select('id').where('content_hash', '=', row.content_hash).executeTakeFirst();
  if (twin !== undefined) return 'duplicate';
  await trx
    .updateTable('memories')
    .set({ deleted_at: null, deleted_elapsed: null, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  await writeTextRows(transaction, toMemory(row), await chunksOf(trx, userId, id));
  return { indexingJobId: await addIndexing(transaction, indexing, 1) };
}
