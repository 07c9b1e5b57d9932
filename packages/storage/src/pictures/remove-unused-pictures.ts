import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';

/** Removes the favicons of sites without memories, and pictures that no memory and no site has. */
export async function removeUnusedPictures(writer: Kysely<Tables>, userId: string): Promise<void> {
  await writer.transaction().execute(async (trx) => {
    const sites = trx.selectFrom('memories').select('site').where('user_id', '=', userId).where('site', 'is not', null);
    await trx.deleteFrom('site_favicons').where('user_id', '=', userId).where('site', 'not in', sites).execute();
    await trx
      .deleteFrom('pictures')
      .where('user_id', '=', userId)
      .where('hash', 'not in', trx.selectFrom('memory_pictures').select('hash').where('user_id', '=', userId))
      .where('hash', 'not in', trx.selectFrom('site_favicons').select('hash').where('user_id', '=', userId))
      .execute();
  });
}
