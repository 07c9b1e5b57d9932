import { type Memory, mergeMetadata, type NewMemory, type PendingChunk } from '@recollect/core';
import type { UserTransaction } from '../user-transaction.js';
import { insertChunks, type LastChunk } from './insert-chunks.js';
import { chunksOf, live } from './live.js';
import { memoryColumns, toMemory } from './row.js';

/** A stored conversation, and the chunks that a longer capture of it adds. */
export interface Growth {
  stored: Memory;
  chunks: readonly string[];
  last: LastChunk;
}

/** Finds the longest stored conversation of the same URL that a new one continues, with the chunks that it lacks. */
export async function findGrowth(
  { trx, userId }: UserTransaction,
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

/** Appends the new turns, and merges the new metadata over the stored fields. */
export async function growConversation(
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
