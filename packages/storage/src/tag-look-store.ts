import { tagKey } from '@recollect/contract/text';
import type { TagLookStore } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from './dialect.js';
import type { Tables } from './tables.js';

/** Icons and colours of tags in a database, portable over dialects. */
export function createTagLookStore({ reader, transaction }: Database): TagLookStore {
  return {
    async list(userId) {
      const rows = await reader
        .selectFrom('tag_looks')
        .select(['tag', 'icon', 'colour'])
        .where('user_id', '=', userId)
        .orderBy('key')
        .execute();
      return rows.map(toLook);
    },

    save: (userId, { tag, icon, colour }, most) =>
      transaction(userId, async (trx) => {
        const key = tagKey(tag);
        const looks = trx.selectFrom('tag_looks').where('user_id', '=', userId);
        const present = await looks.select(['icon', 'colour']).where('key', '=', key).executeTakeFirst();
        const look = {
          tag,
          icon: icon === undefined ? (present?.icon ?? null) : icon,
          colour: colour === undefined ? (present?.colour ?? null) : colour,
        };
        const { count } = await looks.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
        if (present === undefined && count >= most) return 'full';
        await trx.deleteFrom('tag_looks').where('user_id', '=', userId).where('key', '=', key).execute();
        if (look.icon !== null || look.colour !== null)
          await trx
            .insertInto('tag_looks')
            .values({ user_id: userId, key, ...look })
            .execute();
        return toLook(look);
      }),
  };
}

function toLook({ tag, icon, colour }: Pick<Selectable<Tables['tag_looks']>, 'tag' | 'icon' | 'colour'>) {
  return { tag, ...(icon === null ? {} : { icon }), ...(colour === null ? {} : { colour }) };
}
