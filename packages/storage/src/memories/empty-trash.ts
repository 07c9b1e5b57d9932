import type { TrashSelection } from '@recollect/core';
import type { Database } from '../dialect.js';
import { deleteMemories } from './delete-memories.js';

/** Permanently deletes memories in the trash, with all that belongs to them. Returns how many. */
export async function emptyTrash(
  { writer, list }: Database,
  userId: string,
  { ids = null, deletedBefore = null, limit }: TrashSelection,
): Promise<number> {
  return writer.transaction().execute(async (trx) => {
    let selected = trx
      .selectFrom('memories')
      .select('id')
      .where('user_id', '=', userId)
      .where('deleted_at', 'is not', null)
      .orderBy('deleted_at')
      .limit(limit);
    if (ids !== null) selected = selected.where('id', 'in', list.texts(ids));
    if (deletedBefore !== null) selected = selected.where('deleted_at', '<', deletedBefore);
    const chosen = (await selected.execute()).map(({ id }) => id);
    return chosen.length === 0 ? 0 : deleteMemories({ trx, userId, list }, chosen);
  });
}
