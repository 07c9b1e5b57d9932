import { type Memory, mergeMetadata, type NewMemory, type PendingChunk } from '@recollect/core';
import type { TextIndexTable } from '../dialect.js';
import { insertChunks, type LastChunk } from './insert-chunks.js';
import { chunksOf, live } from './live.js';
import { memoryColumns, toMemory } from './row.js';
import type { Trx } from '../tables.js';

/** A stored conversation, and the chunks that another one adds to it. */
export interface Growth {
  stored: Memory;
  chunks: readonly string[];
  last: LastChunk;
}

/** The longest conversation of the same URL that a new one goes on from, with the chunks that it lacks. */
export async function findGrowth(
  trx: Trx,
  userId: string,
  { urlKey, conversation }: NewMemory,
): Promise<Growth | null> {
  if (urlKey === null || conversation === null) return null;
  const candidates = await live(trx, userId)
    .select(memoryColumns)
    .select('turns')
    .where('url_key', '=', urlKey)
    .where('turns', '<', conversation.turns)
    .orderBy('turns', 'desc')
    .execute();
  for (const row of candidates) {
    const present = await chunksOf(trx, userId, row.id);
    const last = present.at(-1);
    const chunks = conversation.chunksAfter(row.turns ?? 0, present.map(({ text }) => text).join(''));
    if (chunks !== null && last !== undefined) return { stored: toMemory(row), chunks, last };
  }
  return null;
}

/** Adds the new turns, with the fields of the new metadata over those that are there. */
export async function growConversation(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  { stored, chunks, last }: Growth,
  { memory, contentHash, conversation }: NewMemory,
): Promise<PendingChunk[]> {
  const added = await insertChunks(trx, textIndex, userId, stored, chunks, last);
  await trx
    .updateTable('memories')
    .set({
      content_hash: contentHash,
      turns: conversation?.turns ?? null,
      metadata: JSON.stringify(mergeMetadata(stored.metadata, memory.metadata)),
    })
    .where('user_id', '=', userId)
    .where('id', '=', stored.id)
    .execute();
  // The new chunks have no embeddings yet, so that the memory is no longer a wholly embedded one.
  await trx.deleteFrom('embedded_memories').where('user_id', '=', userId).where('memory_id', '=', stored.id).execute();
  return added;
}
