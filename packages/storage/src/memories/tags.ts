import type { UserTransaction } from '../user-transaction.js';

/** Replaces the rows by which a memory is found by its tags. */
export async function replaceTags(
  { trx, userId }: UserTransaction,
  memoryId: string,
  tags: readonly string[],
): Promise<void> {
  await trx.deleteFrom('memory_tags').where('user_id', '=', userId).where('memory_id', '=', memoryId).execute();
  await insertTags({ trx, userId }, memoryId, tags);
}

/** Writes these rows for a new memory. */
export async function insertTags(
  { trx, userId }: Pick<UserTransaction, 'trx' | 'userId'>,
  memoryId: string,
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) return;
  await trx
    .insertInto('memory_tags')
    .values(tags.map((tag) => ({ user_id: userId, tag, memory_id: memoryId })))
    .execute();
}
