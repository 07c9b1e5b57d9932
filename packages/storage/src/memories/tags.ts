import type { UserTransaction } from '../user-transaction.js';

/** Replaces the rows by which a memory is found by its tags. */
export async function replaceTags(
  { trx, userId }: UserTransaction,
  memoryId: string,
  tags: readonly string[],
): Promise<void> {
  await trx.deleteFrom('memory_tags').where('user_id', '=', userId).where('memory_id', '=', memoryId).execute();
  if (tags.length === 0) return;
  await trx
    .insertInto('memory_tags')
    .values(tags.map((tag) => ({ user_id: userId, tag, memory_id: memoryId })))
    .execute();
}
