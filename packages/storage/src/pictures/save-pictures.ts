import type { Picture, Pictures } from '@recollect/core';
import type { UserTransaction } from '../user-transaction.js';

/** What the pictures of a capture belong to. */
interface Owner {
  memoryId: string;
  site: string | null;
}

/**
 * Stores the picture of a memory and the favicon of its site, by default instead of those that they have. Returns whether that changed
 * anything. A picture that is replaced stays until the unused ones are removed.
 */
export async function savePictures(
  transaction: UserTransaction,
  { memoryId, site }: Owner,
  { picture, favicon }: Pictures = {},
  { replaces = true } = {},
): Promise<boolean> {
  const { trx, userId } = transaction;
  let changes = 0n;
  if (picture !== undefined) {
    const hash = await insertPicture(transaction, picture);
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('memory_pictures')
      .values({ user_id: userId, memory_id: memoryId, hash })
      .onConflict((conflict) => {
        const same = conflict.columns(['user_id', 'memory_id']);
        return replaces ? same.doUpdateSet({ hash }).where('memory_pictures.hash', '!=', hash) : same.doNothing();
      })
      .executeTakeFirst();
    changes += numInsertedOrUpdatedRows;
  }
  if (favicon !== undefined && site !== null) {
    const hash = await insertPicture(transaction, favicon);
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('site_favicons')
      .values({ user_id: userId, site, hash })
      .onConflict((conflict) => {
        const same = conflict.columns(['user_id', 'site']);
        return replaces ? same.doUpdateSet({ hash }).where('site_favicons.hash', '!=', hash) : same.doNothing();
      })
      .executeTakeFirst();
    changes += numInsertedOrUpdatedRows;
  }
  return changes > 0n;
}

/** Stores a picture once, however many memories have it. Returns its hash. */
async function insertPicture({ trx, userId }: UserTransaction, picture: Picture): Promise<string> {
  const { hash, type, width, height, bytes } = picture;
  await trx
    .insertInto('pictures')
    .values({ user_id: userId, hash, type, width, height, bytes })
    .onConflict((conflict) => conflict.columns(['user_id', 'hash']).doNothing())
    .execute();
  return hash;
}
