import {
  type Comment,
  isOtherFile,
  type Memory,
  mergeComments,
  mergeMetadata,
  mergeNotes,
  mergeTags,
  type NewMemory,
  nameKeyOf,
  type PendingChunk,
  type SavedMemory,
} from '@recollect/core';
import type { Insertable } from 'kysely';
import { blocksOf } from '../blocks.js';
import { enqueue } from '../enqueue.js';
import { replaceTextRows } from '../indexing/index-rows.js';
import { savePictures } from '../pictures/picture-store.js';
import type { Tables } from '../tables.js';
import { importIdOf, type UserTransaction } from '../user-transaction.js';
import { activeMemories, chunksOf } from './active-memories.js';
import { checksumOf } from './checksum.js';
import { invalidateChecksum } from './checksums.js';
import { chooseLink, fillLink, linksTo } from './fill-link.js';
import { recordHistory } from './history-store.js';
import { insertChunks, type LastChunk } from './insert-chunks.js';
import { commentedColumns, commentsColumn, commentsOf, toMemory } from './row.js';
import { titleKey } from './sort.js';
import { replaceTags, tagRows } from './tags.js';

/**
 * Stores a memory with its chunks and index rows. If the same or equivalent content is stored already, marks that
 * memory as captured again; if the memory continues a stored conversation, appends to it; if it is the page that a
 * stored link leads to, fills the link.
 */
export async function insertMemory(transaction: UserTransaction, draft: NewMemory): Promise<SavedMemory> {
  const { trx, userId } = transaction;
  const find = (column: 'id' | 'content_hash', value: string) =>
    activeMemories(trx, userId).select(commentedColumns(userId)).select('content_hash').where(column, '=', value);
  const same = find('content_hash', draft.contentHash);
  const links = linksTo(transaction, draft);
  // Together, since each statement waits for the thread of the connection.
  const rows = await (links === null ? same : same.unionAll(links)).execute();
  const storedRow =
    rows.find((row) => row.content_hash === draft.contentHash) ??
    (draft.duplicateOf === undefined ? undefined : await find('id', draft.duplicateOf).executeTakeFirst()) ??
    (await findLonger(transaction, draft));
  if (storedRow !== undefined) {
    const stored = { ...toMemory(storedRow), comments: commentsOf(storedRow) };
    const { alternative, ...rest } = draft;
    if (alternative !== undefined && isOtherFile(stored.metadata, draft.memory.metadata))
      return insertMemory(transaction, { ...rest, duplicateOf: undefined, ...alternative });
    const merged = await captureAgain(transaction, draft, stored);
    await savePictures(transaction, { memoryId: stored.id, site: draft.site }, draft.pictures);
    return { ...savedFields(stored), status: 'duplicate', ...(merged.length === 0 ? {} : { merged }), added: [] };
  }
  const growth = await findGrowth(transaction, draft);
  if (growth !== null) {
    const merged = await captureAgain(transaction, draft, growth.stored, { isGrowth: true });
    const added = await growConversation(transaction, growth, draft);
    await savePictures(transaction, { memoryId: growth.stored.id, site: draft.site }, draft.pictures);
    return { ...savedFields(growth.stored), status: 'updated', ...(merged.length === 0 ? {} : { merged }), added };
  }
  const link = await chooseLink(transaction, rows.map(toMemory), draft);
  if (link !== null) {
    const { memory, merged, added } = await fillLink(transaction, link, draft);
    await savePictures(transaction, { memoryId: link.id, site: draft.site }, draft.pictures);
    return { ...savedFields(memory), status: 'updated', ...(merged.length === 0 ? {} : { merged }), added };
  }
  const [created] = await insertNew(transaction, [draft]);
  if (created === undefined) throw new Error('A new memory was not stored.');
  return created;
}

/** Stores new memories, whose contents are not stored yet, with their chunks and index rows. */
export async function insertNew(transaction: UserTransaction, drafts: readonly NewMemory[]): Promise<SavedMemory[]> {
  const { trx, userId } = transaction;
  for (const block of blocksOf(drafts.map((draft) => memoryRow(userId, importIdOf(transaction), draft))))
    await enqueue(trx, trx.insertInto('memories').values(block));
  const tags = drafts.flatMap(({ memory }) => tagRows(userId, memory.id, memory.tags));
  for (const block of blocksOf(tags)) await enqueue(trx, trx.insertInto('memory_tags').values(block));
  for (const { memory, site, pictures } of drafts)
    await savePictures(transaction, { memoryId: memory.id, site }, pictures);
  const added = await insertChunks(
    transaction,
    drafts.map(({ memory, comments = [], chunks }) => ({ memory: { ...memory, comments }, chunks, last: null })),
  );
  return drafts.map(({ memory }, at) => ({ ...savedFields(memory), status: 'created', added: added[at] ?? [] }));
}

function memoryRow(
  userId: string,
  importId: string | null,
  { memory, urlKey, site, contentHash, chunks, conversation, comments }: NewMemory,
): Insertable<Tables['memories']> {
  const row = {
    user_id: userId,
    id: memory.id,
    title: memory.title,
    title_key: titleKey(memory.title),
    chunk_count: chunks.length,
    url: memory.url,
    url_key: urlKey,
    site,
    source_type: memory.sourceType,
    source_app: memory.sourceApp,
    capture_mode: memory.captureMode,
    tags: JSON.stringify(memory.tags),
    note: memory.note,
    metadata: JSON.stringify(memory.metadata),
    name_key: nameKeyOf(memory.metadata),
    page: JSON.stringify(memory.page),
    content_hash: contentHash,
    turns: conversation?.turns ?? null,
    turn_starts: conversation === null ? null : JSON.stringify(conversation.starts),
    client: memory.savedBy?.client ?? null,
    client_name: memory.savedBy?.name ?? null,
    client_key: memory.savedBy?.key ?? null,
    captured_at: memory.capturedAt,
    last_captured_at: memory.lastCapturedAt,
    updated_at: memory.updatedAt,
    deleted_at: null,
    deleted_elapsed: null,
    comments: commentsColumn(comments),
    is_link: memory.isLink ? 1 : 0,
    starred: memory.starred ? 1 : 0,
    read_state: memory.readState,
    place: memory.place,
    import_id: importId,
  };
  return { ...row, seal: checksumOf(row, chunks.join('')) };
}

function savedFields({ id, title, url, sourceType, sourceApp, captureMode }: Memory) {
  return { id, title, url, sourceType, sourceApp, captureMode };
}

/** A stored memory with its comments. */
type Commented = Memory & { comments: readonly Comment[] };

/**
 * Marks a stored memory as captured again, and merges the new capture's tags, note and comments into its own. Throws
 * VALIDATION_FAILED if the merged tags are too many or the merged note is too long. Returns which of tags and note
 * changed.
 */
async function captureAgain(
  transaction: UserTransaction,
  { memory, comments: added = [] }: Pick<NewMemory, 'memory' | 'comments'>,
  existing: Commented,
  { isGrowth = false } = {},
): Promise<('tags' | 'note')[]> {
  const { trx, userId } = transaction;
  await invalidateChecksum(transaction, existing.id);
  const tags = mergeTags(existing.tags, memory.tags);
  const note = mergeNotes(existing.note, memory.note);
  const comments = mergeComments(existing.comments, added);
  const lastCapturedAt = [existing.lastCapturedAt, memory.lastCapturedAt].sort().at(-1) ?? memory.lastCapturedAt;
  const previous = {
    ...(tags.length === existing.tags.length ? {} : { tags: existing.tags }),
    ...(note === existing.note ? {} : { note: existing.note }),
  };
  // A capture that changes nothing is only counted by its time: a nightly import would fill the history.
  const isChange = Object.keys(previous).length > 0 || isGrowth || comments !== existing.comments;
  if (transaction.changeMark !== null && isChange)
    await recordHistory(transaction, transaction.changeMark, existing.id, 'captured', previous);
  await trx
    .updateTable('memories')
    .set({
      last_captured_at: lastCapturedAt,
      tags: JSON.stringify(tags),
      note,
      comments: commentsColumn(comments),
      updated_at: memory.updatedAt,
    })
    .where('user_id', '=', userId)
    .where('id', '=', existing.id)
    .execute();
  const merged = Object.keys(previous) as ('tags' | 'note')[];
  if (merged.length === 0 && comments === existing.comments) return merged;
  await replaceTags(transaction, existing.id, tags);
  const first = await trx
    .selectFrom('chunks')
    .select(['id', 'position', 'text'])
    .where('user_id', '=', userId)
    .where('memory_id', '=', existing.id)
    .where('position', '=', 0)
    .execute();
  await replaceTextRows(transaction, { ...existing, tags, note, comments }, first);
  return merged;
}

/** A stored conversation, and the chunks that a longer capture of it adds. */
interface Growth {
  stored: Commented;
  chunks: readonly string[];
  last: LastChunk;
}

/** Finds the longest stored conversation of the same URL that a new one continues, with the chunks that it lacks. */
async function findGrowth(
  { trx, userId }: UserTransaction,
  { urlKey, conversation }: NewMemory,
): Promise<Growth | null> {
  if (urlKey === null || conversation === null) return null;
  const candidates = await activeMemories(trx, userId)
    .select(commentedColumns(userId))
    .select('turns')
    .where('url_key', '=', urlKey)
    .where('turns', '<', conversation.turns)
    .orderBy('turns', 'desc')
    .execute();
  for (const row of candidates) {
    const present = await chunksOf(trx, userId, row.id);
    const last = present.at(-1);
    const chunks = conversation.chunksAfter(row.turns ?? 0, present.map(({ text }) => text).join(''));
    if (chunks !== null && last !== undefined)
      return { stored: { ...toMemory(row), comments: commentsOf(row) }, chunks, last };
  }
  return null;
}

/**
 * Finds the stored conversation of the same URL that an older capture is the beginning of: a later one came first, as
 * it may from another process. A conversation that has become shorter since is another memory.
 */
async function findLonger({ trx, userId }: UserTransaction, { memory, urlKey, conversation, chunks }: NewMemory) {
  if (urlKey === null || conversation === null) return undefined;
  const candidates = await activeMemories(trx, userId)
    .select(commentedColumns(userId))
    .select('content_hash')
    .where('url_key', '=', urlKey)
    .where('turns', '>', conversation.turns)
    .where('last_captured_at', '>', memory.lastCapturedAt)
    .orderBy('turns')
    .execute();
  const text = chunks.join('');
  for (const row of candidates) {
    const present = await chunksOf(trx, userId, row.id);
    if (
      present
        .map((chunk) => chunk.text)
        .join('')
        .startsWith(text)
    )
      return row;
  }
  return undefined;
}

/** Appends the new turns, and merges the new metadata over the stored fields. */
async function growConversation(
  transaction: UserTransaction,
  { stored, chunks, last }: Growth,
  { memory, contentHash, conversation }: NewMemory,
): Promise<PendingChunk[]> {
  const { trx, userId } = transaction;
  const [added = []] = await insertChunks(transaction, [{ memory: stored, chunks, last }]);
  await trx
    .updateTable('memories')
    .set({
      content_hash: contentHash,
      turns: conversation?.turns ?? null,
      turn_starts: conversation === null ? null : JSON.stringify(conversation.starts),
      metadata: JSON.stringify(mergeMetadata(stored.metadata, memory.metadata)),
    })
    .where('user_id', '=', userId)
    .where('id', '=', stored.id)
    .execute();
  // The new chunks have no embeddings yet, so the memory is no longer fully embedded.
  await trx.deleteFrom('embedded_memories').where('user_id', '=', userId).where('memory_id', '=', stored.id).execute();
  return added;
}
