import { readUses, removeUnusedPictures } from '../pictures/remove-unused-pictures.js';

/** Deletes memories for good, with all that belongs to them, and the images that only they had. Returns how many. */
export async function deleteMemories(
  place: Parameters<typeof readUses>[0],
  memoryIds: readonly string[],
): Promise<number> {
  const { trx, userId, list } = place;
  const uses = await readUses(place, memoryIds);
  const { numDeletedRows } = await trx
    .deleteFrom('memories')
    .where('user_id', '=', userId)
    .where('id', 'in', list.texts(memoryIds))
    .executeTakeFirst();
  await removeUnusedPictures(place, uses);
  return Number(numDeletedRows);
}
