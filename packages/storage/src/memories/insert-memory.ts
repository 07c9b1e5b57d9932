import { isOtherFile, type Memory, type NewMemory, nameKeyOf, type SavedMemory } from '@recollect/core';
import type { Insertable } from 'kysely';
import { blocksOf } from '../blocks.js';
import { savePictures } from '../pictures/save-pictures.js';
import { send } from '../send.js';
import type { Tables } from '../tables.js';
import type { UserTransaction } from '../user-transaction.js';
import { captureAgain } from './capture-again.js';
import { chooseLink, fillLink, linksTo } from './fill-link.js';
import { findGrowth, growConversation } from './grow-conversation.js';
import { insertChunks } from './insert-chunks.js';
import { live } from './live.js';
import { memoryColumns, toMemory } from './row.js';
import { sealOf } from './seal-of.js';
import { titleKey } from './sort.js';
import { tagRows } from './tags.js';

/**
 * Stores a memory with its chunks and index rows. If the same or equivalent content is stored already, marks that
 * memory as captured again; if the memory continues a stored conversation, appends to it; if it is the page that a
 * stored link leads to, fills the link.
 */
export async function insertMemory(transaction: UserTransaction, draft: NewMemory): Promise<SavedMemory> {
  const { trx, userId } = transaction;
  const find = (column: 'id' | 'content_hash', value: string) =>
    live(trx, userId).select(memoryColumns).select('content_hash').where(column, '=', value);
  const same = find('content_hash', draft.contentHash);
  const links = linksTo(transaction, draft);
  // Together, since each statement waits for the thread of the connection.
  const rows = await (links === null ? same : same.unionAll(links)).execute();
  const known =
    rows.find((row) => row.content_hash === draft.contentHash) ??
    (draft.duplicateOf === undefined ? undefined : await find('id', draft.duplicateOf).executeTakeFirst());
  if (known !== undefined) {
    const stored = toMemory(known);
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
  for (const block of blocksOf(drafts.map((draft) => memoryRow(userId, draft))))
    await send(trx, trx.insertInto('memories').values(block));
  const tags = drafts.flatMap(({ memory }) => tagRows(userId, memory.id, memory.tags));
  for (const block of blocksOf(tags)) await send(trx, trx.insertInto('memory_tags').values(block));
  for (const { memory, site, pictures } of drafts)
    await savePictures(transaction, { memoryId: memory.id, site }, pictures);
  const added = await insertChunks(
    transaction,
    drafts.map(({ memory, chunks }) => ({ memory, chunks, last: null })),
  );
  return drafts.map(({ memory }, at) => ({ ...savedFields(memory), status: 'created', added: added[at] ?? [] }));
}

function memoryRow(
  userId: string,
  { memory, urlKey, site, contentHash, chunks, conversation }: NewMemory,
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
    is_link: memory.isLink ? 1 : 0,
    starred: memory.starred ? 1 : 0,
    read_state: memory.readState,
  };
  return { ...row, seal: sealOf(row, chunks.join('')) };
}

function savedFields({ id, title, url, sourceType, sourceApp, captureMode }: Memory) {
  return { id, title, url, sourceType, sourceApp, captureMode };
}
