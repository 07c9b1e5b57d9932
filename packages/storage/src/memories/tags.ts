import type { Trx } from '../tables.js';

/** Makes the rows that memories are found by their tags with. */
export async function replaceTags(trx: Trx, userId: string, memoryId: string, tags: readonly string[]): Promise<void> {
  await trx.deleteFrom('memory_tags').where('user_id', '=', userId).where('memory_id', '=', memoryId).execute();
  if (tags.length === 0) return;
  await trx
    .insertInto('memory_tags')
    .values(tags.map((tag) => ({ user_id: userId, tag, memory_id: memoryId })))
    .execute();
}
