import type { SqlDialect } from '../dialect.js';
import type { Trx } from '../tables.js';

/** Where images were used: by hash, and as favicons of sites. */
interface Former {
  hashes: readonly string[];
  sites: readonly string[];
}

interface Removing {
  trx: Trx;
  userId: string;
  list: SqlDialect['list'];
}

/** The images of memories, and the sites whose favicons they have. To be read before the memories are deleted. */
export async function readUses({ trx, userId, list }: Removing, memoryIds: readonly string[]): Promise<Former> {
  const pictures = await trx
    .selectFrom('memory_pictures')
    .select('hash')
    .where('user_id', '=', userId)
    .where('memory_id', 'in', list.texts(memoryIds))
    .execute();
  const memories = await trx
    .selectFrom('memories')
    .select('site')
    .where('user_id', '=', userId)
    .where('id', 'in', list.texts(memoryIds))
    .where('site', 'is not', null)
    .execute();
  return { hashes: pictures.map(({ hash }) => hash), sites: memories.flatMap(({ site }) => site ?? []) };
}

/** Removes favicons of sites that have no memory any more, and images that no memory and no site has. */
export async function removeUnusedPictures({ trx, userId, list }: Removing, { hashes, sites }: Former): Promise<void> {
  const favicons =
    sites.length === 0
      ? []
      : await trx
          .deleteFrom('site_favicons')
          .where('user_id', '=', userId)
          .where('site', 'in', list.texts(sites))
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
    .where('hash', 'in', list.texts(all))
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
