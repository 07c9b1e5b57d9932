import type { TrashSelection } from '@recollect/core';
import type { Database } from '../dialect.js';
import { removeUnusedPictures } from '../pictures/remove-unused-pictures.js';

/** Permanently deletes memories in the trash, with all that belongs to them. Returns how many. */
export async function emptyTrash(
  { writer, list }: Database,
  userId: string,
  { ids = null, deletedBefore = null, limit }: TrashSelection,
): Promise<number> {
  let selected = writer
    .selectFrom('memories')
    .select('id')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .limit(limit);
  if (ids !== null) selected = selected.where('id', 'in', list.texts(ids));
  if (deletedBefore !== null) selected = selected.where('deleted_at', '<', deletedBefore);
  const { numDeletedRows } = await writer
    .deleteFrom('memories')
    .where('user_id', '=', userId)
    .where('id', 'in', selected)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await removeUnusedPictures(writer, userId);
  return Number(numDeletedRows);
}
