import type { FormerValues, Memory, MemoryChange } from '@recollect/core';
import type { UserTransaction } from '../user-transaction.js';

/**
 * Changes the star, the read state, the progress and the time of opening. Returns the replaced values that the history
 * keeps. It does not record progress unless the read state changed. Seals and index rows do not cover these columns.
 */
export async function changeReading(
  { trx, userId, changed }: UserTransaction,
  before: Memory,
  { starred = before.starred, readState = before.readState, progress = before.progress, openedAt }: MemoryChange,
): Promise<FormerValues> {
  const isMarked = starred !== before.starred || readState !== before.readState;
  if (!isMarked && progress === before.progress && (openedAt ?? before.openedAt) === before.openedAt) return {};
  await trx
    .updateTable('memories')
    .set({
      starred: starred ? 1 : 0,
      read_state: readState,
      progress,
      opened_at: openedAt ?? before.openedAt,
    })
    .where('user_id', '=', userId)
    .where('id', '=', before.id)
    .execute();
  // Searches filter by these two.
  if (isMarked) changed.add(before.id);
  return {
    ...(starred === before.starred ? {} : { starred: before.starred }),
    ...(readState === before.readState ? {} : { readState: before.readState, progress: before.progress }),
  };
}
