import type { Picture, PictureStore, Pictures } from '@recollect/core';
import type { SelectQueryBuilder } from 'kysely';
import type { Database, SqlDialect } from '../dialect.js';
import { readCounts } from '../memories/memory-counts.js';
import type { Tables, Trx } from '../tables.js';
import type { UserTransaction } from '../user-transaction.js';

/** Reads the pictures of memories and sites. */
export function createPictureStore({ reader }: Database): PictureStore {
  return {
    async find(userId, memoryId, kind) {
      const ofMemory = reader
        .selectFrom('memories')
        .where('memories.user_id', '=', userId)
        .where('memories.id', '=', memoryId)
        .where('memories.deleted_at', 'is', null);
      const hash =
        kind === 'picture'
          ? ofMemory
              .innerJoin('memory_pictures as link', (join) =>
                join.on('link.user_id', '=', userId).onRef('link.memory_id', '=', 'memories.id'),
              )
              .select('link.hash')
          : ofMemory
              .innerJoin('site_favicons as link', (join) =>
                join.on('link.user_id', '=', userId).onRef('link.site', '=', 'memories.site'),
              )
              .select('link.hash');
      const row = await reader
        .selectFrom('pictures')
        .select(['hash', 'type', 'width', 'height', 'bytes'])
        .where('user_id', '=', userId)
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row === undefined ? null : { ...row, bytes: Uint8Array.from(row.bytes) };
    },

    async size(userId) {
      const { pictures, picture_bytes: bytes } = await readCounts(reader, userId);
      return { count: pictures, bytes };
    },
  };
}

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
    const previousHashes = trx.selectFrom('memory_pictures').select('hash').where('user_id', '=', userId);
    if (replaces) replaced.push(...(await hashesOf(previousHashes.where('memory_id', '=', memoryId), hash)));
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
    const previousHashes = trx.selectFrom('site_favicons').select('hash').where('user_id', '=', userId);
    if (replaces) replaced.push(...(await hashesOf(previousHashes.where('site', '=', site), hash)));
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

/** Gives a memory another picture, or none. Returns whether that changed anything. */
export async function replacePicture(
  transaction: UserTransaction,
  memoryId: string,
  picture: Picture | null,
): Promise<boolean> {
  if (picture !== null) return savePictures(transaction, { memoryId, site: null }, { picture });
  const removed = await transaction.trx
    .deleteFrom('memory_pictures')
    .where('user_id', '=', transaction.userId)
    .where('memory_id', '=', memoryId)
    .returning('hash')
    .execute();
  await removeUnusedPictures(transaction, { hashes: removed.map(({ hash }) => hash), sites: [] });
  return removed.length > 0;
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

/** Where images were used: by hash, and as favicons of sites. */
interface PreviousHashes {
  hashes: readonly string[];
  sites: readonly string[];
}

interface Removing {
  trx: Trx;
  userId: string;
  isIn: SqlDialect['isIn'];
}

/** The images of memories, and the sites whose favicons they have. To be read before the memories are deleted. */
export async function readUses({ trx, userId, isIn }: Removing, memoryIds: readonly string[]): Promise<PreviousHashes> {
  const pictures = await trx
    .selectFrom('memory_pictures')
    .select('hash')
    .where('user_id', '=', userId)
    .where(isIn('memory_id', memoryIds))
    .execute();
  const memories = await trx
    .selectFrom('memories')
    .select('site')
    .where('user_id', '=', userId)
    .where(isIn('id', memoryIds))
    .where('site', 'is not', null)
    .execute();
  return { hashes: pictures.map(({ hash }) => hash), sites: memories.flatMap(({ site }) => site ?? []) };
}

/** Removes favicons of sites that have no memory any more, and images that no memory and no site has. */
export async function removeUnusedPictures(
  { trx, userId, isIn }: Removing,
  { hashes, sites }: PreviousHashes,
): Promise<void> {
  const favicons =
    sites.length === 0
      ? []
      : await trx
          .deleteFrom('site_favicons')
          .where('user_id', '=', userId)
          .where(isIn('site', sites))
          .where(({ exists, not, selectFrom }) =>
            not(
              exists(
                selectFrom('memories')
                  .select('memories.id')
                  .where('memories.user_id', '=', userId)
                  .whereRef('memories.site', '=', 'site_favicons.site'),
              ),
            ),
          )
          .returning('hash')
          .execute();
  const all = [...hashes, ...favicons.map(({ hash }) => hash)];
  if (all.length === 0) return;
  await trx
    .deleteFrom('pictures')
    .where('user_id', '=', userId)
    .where(isIn('hash', all))
    .where(({ and, exists, not, selectFrom }) => {
      const isUsed = (table: 'memory_pictures' | 'site_favicons') =>
        exists(
          selectFrom(table)
            .select(`${table}.hash`)
            .where(`${table}.user_id`, '=', userId)
            .whereRef(`${table}.hash`, '=', 'pictures.hash'),
        );
      return and([not(isUsed('memory_pictures')), not(isUsed('site_favicons'))]);
    })
    .execute();
}
