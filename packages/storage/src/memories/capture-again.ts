import { type Memory, mergeNotes, mergeTags, type NewMemory } from '@recollect/core';
import { replaceTextRows } from '../indexing/index-rows.js';
import type { UserTransaction } from '../user-transaction.js';
import { recordHistory } from './history-store.js';
import { unseal } from './seals.js';
import { replaceTags } from './tags.js';

/**
 * Marks a stored memory as captured again, and merges the new capture's tags and note into its own. Throws
 * VALIDATION_FAILED if the merged tags are too many or the merged note is too long. Returns which of them changed.
 */
export async function captureAgain(
  transaction: UserTransaction,
  { memory }: Pick<NewMemory, 'memory'>,
  known: Memory,
  { isGrowth = false } = {},
): Promise<('tags' | 'note')[]> {
  const { trx, userId } = transaction;
  await unseal(transaction, known.id);
  const tags = mergeTags(known.tags, memory.tags);
  const note = mergeNotes(known.note, memory.note);
  const lastCapturedAt = [known.lastCapturedAt, memory.lastCapturedAt].sort().at(-1) ?? memory.lastCapturedAt;
  const former = {
    ...(tags.length === known.tags.length ? {} : { tags: known.tags }),
    ...(note === known.note ? {} : { note: known.note }),
  };
  // A capture that changes nothing is only counted by its time: a nightly import would fill the history.
  const isChange = Object.keys(former).length > 0 || isGrowth;
  if (transaction.mark !== null && isChange)
    await recordHistory(transaction, transaction.mark, known.id, 'captured', former);
  await trx
    .updateTable('memories')
    .set({ last_captured_at: lastCapturedAt, tags: JSON.stringify(tags), note, updated_at: memory.updatedAt })
    .where('user_id', '=', userId)
    .where('id', '=', known.id)
    .execute();
  const merged = Object.keys(former) as ('tags' | 'note')[];
  if (merged.length === 0) return merged;
  await replaceTags(transaction, known.id, tags);
  const first = await trx
    .selectFrom('chunks')
    .select(['id', 'position', 'text'])
    .where('user_id', '=', userId)
    .where('memory_id', '=', known.id)
    .where('position', '=', 0)
    .execute();
  await replaceTextRows(transaction, { ...known, tags, note }, first);
  return merged;
}
