import {
  type BulkChange,
  type BulkOptions,
  type IndexingDraft,
  type Memory,
  type MemoryChange,
  type MemoryStore,
  nameKeyOf,
  type PresentMemory,
  type PreviousValues,
} from '@recollect/core';
import {
  type Indexed,
  notesOf,
  removeEmbeddings,
  removeTextRows,
  replaceTextRows,
  writeTextRows,
} from '../indexing/index-rows.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { replacePicture } from '../pictures/picture-store.js';
import { readStoreTime } from '../time/store-time.js';
import type { UserTransaction } from '../user-transaction.js';
import { activeMemories, chunksOf } from './active-memories.js';
import { hasOwnText } from './checksum.js';
import { forgetDamage, invalidateChecksum } from './checksums.js';
import { changedAfter, recordHistory } from './history-store.js';
import { insertChunks } from './insert-chunks.js';
import { keepPreviousHash } from './previous-hashes.js';
import { commentedColumns, commentsOf, toMemory } from './row.js';
import { titleKey } from './sort.js';
import { insertTags, replaceTags } from './tags.js';

type Change = Parameters<MemoryStore['update']>[2];
type Updated = Awaited<ReturnType<MemoryStore['update']>>;
type Restored = Awaited<ReturnType<MemoryStore['restore']>>;

/**
 * Changes the given fields, and the index rows with the contents. A new title or text drops the embeddings. Null if
 * unknown; `duplicate` if another memory has the new text.
 */
export async function updateMemory(
  transaction: UserTransaction,
  id: string,
  change: Change,
  indexing: IndexingDraft,
): Promise<Updated> {
  const { trx, userId, now, changeMark } = transaction;
  const row = await activeMemories(trx, userId)
    .select(commentedColumns(userId))
    .select(['content_hash', 'url_key'])
    .where('memories.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const before = { ...toMemory(row), comments: commentsOf(row) };
  const requested = typeof change === 'function' ? change({ ...before, contentHash: row.content_hash }) : change;
  const present = requested.text === undefined ? null : await textOf(transaction, id);
  const previous = previousValues(before, requested, present);
  const isContent = Object.keys(previous).length > 0;
  // A memory that is given the text that it has is said to be as it should be.
  const isConfirmed = requested.text !== undefined && previous.text === undefined;
  const { picture } = requested;
  const isPicture = picture !== undefined && (await replacePicture(transaction, id, picture));
  if (isPicture) transaction.changed.add(id);
  const isOther = isPicture || requested.metadata !== undefined;
  if (isContent || isConfirmed || isOther) await invalidateChecksum(transaction, id);
  const replacesText = previous.text !== undefined || (isConfirmed && requested.text?.contentHash !== row.content_hash);
  const memory = { ...before, contentHash: row.content_hash };
  if (replacesText && (await replaceText(transaction, memory, requested)) === 'duplicate') return 'duplicate';
  // The stored hash belongs to the undamaged text, which an import may bring.
  if (previous.text !== undefined && hasOwnText(row, previous.text))
    await keepPreviousHash(transaction, id, row.content_hash);
  if (isConfirmed) await forgetDamage(transaction, id);
  const all = { ...previous, ...(await changeReading(transaction, before, requested)) };
  const fields = Object.keys(all) as (keyof PreviousValues)[];
  if (fields.length > 0 && changeMark !== null) await recordHistory(transaction, changeMark, id, 'edited', all);
  if (!isContent && !isOther) return { fields, indexingJobId: null };
  const { title = before.title, tags = before.tags, note = before.note, metadata = before.metadata } = requested;
  await trx
    .updateTable('memories')
    .set({
      title,
      title_key: titleKey(title),
      tags: JSON.stringify(tags),
      note,
      metadata: JSON.stringify(metadata),
      name_key: nameKeyOf(metadata),
      updated_at: now,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  if (previous.tags !== undefined) await replaceTags(transaction, id, tags);
  const after = { ...before, title, tags, note, metadata };
  if (isContent || notesOf(after) !== notesOf(before)) {
    const chunks = await chunksOf(trx, userId, id);
    // Only the first row has more than title and text.
    const rewritten = previous.title === undefined ? chunks.slice(0, 1) : chunks;
    await replaceTextRows(transaction, after, rewritten);
  }
  if (previous.title === undefined && previous.text === undefined) return { fields, indexingJobId: null };
  await removeEmbeddings(transaction, id);
  return { fields, indexingJobId: await addIndexing(transaction, indexing, 1) };
}

/** The contents that a change replaces with different ones. */
function previousValues(
  before: Memory,
  { title, tags, note, text }: MemoryChange,
  present: string | null,
): PreviousValues {
  const isSame = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);
  return {
    ...(title === undefined || title === before.title ? {} : { title: before.title }),
    ...(tags === undefined || isSame(tags, before.tags) ? {} : { tags: before.tags }),
    ...(note === undefined || note === before.note ? {} : { note: before.note }),
    ...(text === undefined || present === null || text.chunks.join('') === present ? {} : { text: present }),
  };
}

async function textOf({ trx, userId }: UserTransaction, id: string): Promise<string> {
  return (await chunksOf(trx, userId, id)).map(({ text }) => text).join('');
}

/** Replaces the chunks of a memory, with their index rows. Keeps the turns if the text only repairs a damaged one. */
async function replaceText(
  transaction: UserTransaction,
  memory: PresentMemory & Indexed,
  { text }: MemoryChange,
): Promise<'replaced' | 'duplicate'> {
  if (text === undefined) return 'replaced';
  const { trx, userId } = transaction;
  const isRepair = text.contentHash === memory.contentHash;
  const twin = await activeMemories(trx, userId)
    .select('id')
    .where('content_hash', '=', text.contentHash)
    .executeTakeFirst();
  if (twin !== undefined && twin.id !== memory.id) return 'duplicate';
  await removeTextRows(transaction, memory.id, await chunksOf(trx, userId, memory.id));
  await removeEmbeddings(transaction, memory.id);
  await trx.deleteFrom('chunks').where('user_id', '=', userId).where('memory_id', '=', memory.id).execute();
  await insertChunks(transaction, [{ memory, chunks: text.chunks, last: null }]);
  await trx
    .updateTable('memories')
    .set({ content_hash: text.contentHash, ...(isRepair ? {} : { turns: null, turn_starts: null }) })
    .where('user_id', '=', userId)
    .where('id', '=', memory.id)
    .execute();
  await forgetDamage(transaction, memory.id);
  return 'replaced';
}

/** Moves to the trash and out of every index. False if unknown. */
export async function trashMemory(transaction: UserTransaction, id: string): Promise<boolean> {
  const { trx, userId, now, changeMark } = transaction;
  const elapsed = await readStoreTime(trx, now);
  await invalidateChecksum(transaction, id);
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
  await replaceTags(transaction, id, []);
  if (changeMark !== null) await recordHistory(transaction, changeMark, id, 'deleted');
  return true;
}

/** Takes out of the trash, and back into full text and the counts of tags. */
export async function restoreMemory(
  transaction: UserTransaction,
  id: string,
  indexing: IndexingDraft,
): Promise<Restored> {
  const { trx, userId, now, changeMark } = transaction;
  const row = await trx
    .selectFrom('memories')
    .select(commentedColumns(userId))
    .select('content_hash')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  if (row === undefined) return 'unknown';
  const twin = await activeMemories(trx, userId)
    .select('id')
    .where('content_hash', '=', row.content_hash)
    .executeTakeFirst();
  if (twin !== undefined) return 'duplicate';
  await invalidateChecksum(transaction, id);
  await trx
    .updateTable('memories')
    .set({ deleted_at: null, deleted_elapsed: null, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  const memory = { ...toMemory(row), comments: commentsOf(row) };
  await writeTextRows(transaction, memory, await chunksOf(trx, userId, id));
  await insertTags(transaction, id, memory.tags);
  if (changeMark !== null) await recordHistory(transaction, changeMark, id, 'restored');
  return { indexingJobId: await addIndexing(transaction, indexing, 1) };
}

/** Applies a change to memories, one after the other. Returns the ids of those that changed. */
export async function changeAll(
  transaction: UserTransaction,
  ids: readonly string[],
  change: BulkChange,
  { indexing, unlessChangedAfter }: Pick<BulkOptions, 'indexing' | 'unlessChangedAfter'>,
): Promise<string[]> {
  const skipped =
    unlessChangedAfter === undefined ? new Set() : await changedAfter(transaction, ids, unlessChangedAfter);
  const changed: string[] = [];
  for (const id of ids) {
    if (!skipped.has(id) && (await changeOne(transaction, id, change, indexing))) changed.push(id);
  }
  return changed;
}

async function changeOne(
  transaction: UserTransaction,
  id: string,
  change: BulkChange,
  indexing: IndexingDraft,
): Promise<boolean> {
  if (change === 'delete') return trashMemory(transaction, id);
  if (change === 'restore') return typeof (await restoreMemory(transaction, id, indexing)) === 'object';
  const updated = await updateMemory(transaction, id, change, indexing);
  return updated !== null && updated !== 'duplicate' && updated.fields.length > 0;
}

/**
 * Changes the star, the read state, the progress, the time of opening and the place. Returns the replaced values that
 * the history keeps. It does not record progress unless the read state changed. Checksums and index rows do not cover
 * these columns.
 */
export async function changeReading(
  { trx, userId, changed }: UserTransaction,
  before: Memory,
  { starred = before.starred, readState = before.readState, progress = before.progress, ...change }: MemoryChange,
): Promise<PreviousValues> {
  const { place = before.place, openedAt } = change;
  const isMarked = starred !== before.starred || readState !== before.readState || place !== before.place;
  if (!isMarked && progress === before.progress && (openedAt ?? before.openedAt) === before.openedAt) return {};
  await trx
    .updateTable('memories')
    .set({
      starred: starred ? 1 : 0,
      read_state: readState,
      progress,
      opened_at: openedAt ?? before.openedAt,
      place,
    })
    .where('user_id', '=', userId)
    .where('id', '=', before.id)
    .execute();
  // Searches filter by these three.
  if (isMarked) changed.add(before.id);
  return {
    ...(starred === before.starred ? {} : { starred: before.starred }),
    ...(readState === before.readState ? {} : { readState: before.readState, progress: before.progress }),
    ...(place === before.place ? {} : { place: before.place }),
  };
}
