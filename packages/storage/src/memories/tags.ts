import { tagKey, uniqueTags } from '@recollect/contract/text';
import type { Insertable } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { Tables } from '../tables.js';
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
  for (const rows of blocksOf(tagRows(userId, memoryId, tags)))
    await trx.insertInto('memory_tags').values(rows).execute();
}

/** One row for each tag of a memory. Of tags that are the same without regard to case, the first counts. */
export function tagRows(
  userId: string,
  memoryId: string,
  tags: readonly string[],
): Insertable<Tables['memory_tags']>[] {
  return uniqueTags(tags).map((tag) => ({ user_id: userId, key: tagKey(tag), memory_id: memoryId, tag }));
}
