import type { Picture, Pictures } from '@recollect/core';
import type { SelectQueryBuilder } from 'kysely';
import type { Tables } from '../tables.js';
import type { UserTransaction } from '../user-transaction.js';
import { removeUnusedPictures } from './remove-unused-pictures.js';

/** The owner of the pictures of a capture. */
interface Owner {
  memoryId: string;
  site: string | null;
}

/**
 * Stores the picture of a memory and the favicon of its site, by default instead of those that they have. Returns
 * whether that changed anything. A picture that is replaced is removed if nothing else has it.
 */
export async function savePictures(
  transaction: UserTransaction,
  { memoryId, site }: Owner,
  { picture, favicon }: Pictures = {},
  { replaces = true } = {},
): Promise<boolean> {
  const { trx, userId } = transaction;
  const replaced: string[] = [];
  let changes = 0n;
  if (picture !== undefined) {
    const hash = await insertPicture(transaction, picture);
    const former = trx.selectFrom('memory_pictures').select('hash').where('user_id', '=', userId);
    if (replaces) replaced.push(...(await hashesOf(former.where('memory_id', '=', memoryId), hash)));
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
    const former = trx.selectFrom('site_favicons').select('hash').where('user_id', '=', userId);
    if (replaces) replaced.push(...(await hashesOf(former.where('site', '=', site), hash)));
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
  await removeUnusedPictures(transaction, { hashes: replaced, sites: [] });
  return changes > 0n;
}

/** The hashes that a query finds, but for one. */
async function hashesOf(query: SelectQueryBuilder<Tables, never, { hash: string }>, except: string): Promise<string[]> {
  return (await query.execute()).map(({ hash }) => hash).filter((hash) => hash !== except);
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
