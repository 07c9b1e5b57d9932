import type { Memory, NewMemory, SavedMemory } from '@recollect/core';
import { captureAgain } from './capture-again.js';
import type { TextIndexTable } from '../dialect.js';
import { findGrowth, growConversation } from './grow-conversation.js';
import { insertChunks } from './insert-chunks.js';
import { live } from './live.js';
import { memoryColumns, toMemory } from './row.js';
import type { Trx } from '../tables.js';
import { replaceTags } from './tags.js';

/**
 * Stores a memory with its chunks and index rows, or marks the one that is there already as captured again, or adds to
 * the conversation that it goes on from.
 */
export async function insertMemory(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  draft: NewMemory,
): Promise<SavedMemory> {
  const known = await live(trx, userId)
    .select(memoryColumns)
    .where('content_hash', '=', draft.contentHash)
    .executeTakeFirst();
  if (known !== undefined) {
    const stored = toMemory(known);
    await captureAgain(trx, textIndex, userId, draft, stored);
    return { ...savedFields(stored), status: 'duplicate', added: [] };
  }
  const growth = await findGrowth(trx, userId, draft);
  if (growth !== null) {
    await captureAgain(trx, textIndex, userId, draft, growth.stored);
    const added = await growConversation(trx, textIndex, userId, growth, draft);
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
      captured_at: memory.capturedAt,
      last_captured_at: memory.lastCapturedAt,
      updated_at: memory.updatedAt,
      deleted_at: null,
      deleted_elapsed: null,
    })
    .execute();
  await replaceTags(trx, userId, memory.id, memory.tags);
  const added = await insertChunks(trx, textIndex, userId, memory, chunks, null);
  return { ...savedFields(memory), status: 'created', added };
}

function savedFields({ id, title, url, sourceType, sourceApp, captureMode }: Memory) {
  return { id, title, url, sourceType, sourceApp, captureMode };
}
