import type { Memory, NewMemory, SavedMemory } from '@recollect/core';
import type { UserTransaction } from '../user-transaction.js';
import { captureAgain } from './capture-again.js';
import { findGrowth, growConversation } from './grow-conversation.js';
import { insertChunks } from './insert-chunks.js';
import { live } from './live.js';
import { memoryColumns, toMemory } from './row.js';
import { insertTags } from './tags.js';

/**
 * Stores a memory with its chunks and index rows. If the same content is stored already, marks that memory as captured again;
 * if the memory continues a stored conversation, appends to it.
 */
export async function insertMemory(transaction: UserTransaction, draft: NewMemory): Promise<SavedMemory> {
  const { trx, userId } = transaction;
  const known = await live(trx, userId)
    .select(memoryColumns)
    .where('content_hash', '=', draft.contentHash)
    .executeTakeFirst();
  if (known !== undefined) {
    const stored = toMemory(known);
    await captureAgain(transaction, draft, stored);
    return { ...savedFields(stored), status: 'duplicate', added: [] };
  }
  const growth = await findGrowth(transaction, draft);
  if (growth !== null) {
    await captureAgain(transaction, draft, growth.stored, { isGrowth: true });
    const added = await growConversation(transaction, growth, draft);
    return { ...savedFields(growth.stored), status: 'updated', added };
  }
  const { memory, urlKey, site, contentHash, chunks, conversation } = draft;
  await trx
    .insertInto('memories')
    .values({
      user_id: userId,
      id: memory.id,
      title: memory.title,
      url: memory.url,
      url_key: urlKey,
      site,
      source_type: memory.sourceType,
      source_app: memory.sourceApp,
      capture_mode: memory.captureMode,
      tags: JSON.stringify(memory.tags),
      note: memory.note,
      metadata: JSON.stringify(memory.metadata),
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
    })
    .execute();
  await insertTags(transaction, memory.id, memory.tags);
  const added = await insertChunks(transaction, memory, chunks, null);
  return { ...savedFields(memory), status: 'created', added };
}

function savedFields({ id, title, url, sourceType, sourceApp, captureMode }: Memory) {
  return { id, title, url, sourceType, sourceApp, captureMode };
}
