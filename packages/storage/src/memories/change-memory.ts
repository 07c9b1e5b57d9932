import type { IndexingDraft, MemoryStore } from '@recollect/core';
import { sql } from 'kysely';
import type { TextIndexTable } from '../dialect.js';
import { chunksOf, live } from './live.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { memoryColumns, toMemory } from './row.js';
import { readStoreTime } from '../time/store-time.js';
import type { Trx } from '../tables.js';
import { replaceTags } from './tags.js';
import { writeTextRows } from '../indexing/text-rows.js';

type Change = Parameters<MemoryStore['update']>[2];
type Updated = Awaited<ReturnType<MemoryStore['update']>>;
type Restored = Awaited<ReturnType<MemoryStore['restore']>>;

/** Changes what is given, in the indexes too; a new title drops the embeddings. Null when unknown. */
export async function updateMemory(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  id: string,
  change: Change,
  { now, indexing }: { now: string; indexing: IndexingDraft },
): Promise<Updated> {
  const row = await live(trx, userId).select(memoryColumns).where('memories.id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const before = toMemory(row);
  const given = typeof change === 'function' ? change(before) : change;
  if (Object.keys(given).length === 0) return { indexingJobId: null };
  const after = { ...before, ...given };
  await trx
    .updateTable('memories')
    .set({
      title: after.title,
      tags: JSON.stringify(after.tags),
      note: after.note,
      metadata: JSON.stringify(after.metadata),
      updated_at: now,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  if (given.tags !== undefined) await replaceTags(trx, userId, id, after.tags);
  const isIndexed = given.title !== undefined || given.tags !== undefined || given.note !== undefined;
  if (isIndexed) {
    const chunks = await chunksOf(trx, userId, id);
    await textIndex.remove(
      trx,
      chunks.map((chunk) => chunk.id),
    );
    await writeTextRows(trx, textIndex, userId, after, chunks);
  }
  if (after.title === before.title) return { indexingJobId: null };
  await dropEmbeddings(trx, userId, id);
  return { indexingJobId: await addIndexing(trx, userId, indexing, 1, now) };
}

/** Moves to the trash, out of every index. False when unknown. */
export async function trashMemory(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  id: string,
  now: string,
): Promise<boolean> {
  const elapsed = await readStoreTime(trx, now);
  const { numUpdatedRows } = await trx
    .updateTable('memories')
    .set({ deleted_at: now, deleted_elapsed: elapsed, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const chunks = await chunksOf(trx, userId, id);
  await textIndex.remove(
    trx,
    chunks.map((chunk) => chunk.id),
  );
  await dropEmbeddings(trx, userId, id);
  return true;
}

/** Takes out of the trash and back into full text. */
export async function restoreMemory(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  id: string,
  { now, indexing }: { now: string; indexing: IndexingDraft },
): Promise<Restored> {
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
  await writeTextRows(trx, textIndex, userId, toMemory(row), await chunksOf(trx, userId, id));
  return { indexingJobId: await addIndexing(trx, userId, indexing, 1, now) };
}

async function dropEmbeddings(trx: Trx, userId: string, id: string): Promise<void> {
  await trx.deleteFrom('embedded_memories').where('user_id', '=', userId).where('memory_id', '=', id).execute();
  await sql`delete from embeddings where chunk_id in (
    select id from chunks where user_id = ${userId} and memory_id = ${id})`.execute(trx);
}
