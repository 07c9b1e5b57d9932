import type { PluginStateStore } from '@recollect/core';
import { sql } from 'kysely';
import { checkLease } from '../leases/lease-store.js';
import type { Database } from '../tables.js';
import type { Ticks } from '../time/ticks.js';

/** What plugins keep, in a database, portable over dialects. */
export function createPluginStateStore({ reader, writer }: Database, ticks: Ticks): PluginStateStore {
  return {
    async get(userId, slug, key) {
      const row = await reader
        .selectFrom('plugin_state')
        .select('value')
        .where('user_id', '=', userId)
        .where('slug', '=', slug)
        .where('key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : JSON.parse(row.value);
    },

    set: (lease, slug, key, value, most) =>
      writer.transaction().execute(async (trx) => {
        const { userId } = lease;
        await checkLease(trx, lease, ticks());
        const { others } = await trx
          .selectFrom('plugin_state')
          .select(({ fn }) => fn.countAll<number>().as('others'))
          .where('user_id', '=', userId)
          .where('slug', '=', slug)
          .where('key', '<>', key)
          .executeTakeFirstOrThrow();
        if (others >= most) return false;
        const values = { value: JSON.stringify(value), updated_at: new Date().toISOString() };
        await trx
          .insertInto('plugin_state')
          .values({ user_id: userId, slug, key, ...values })
          .onConflict((conflict) => conflict.columns(['user_id', 'slug', 'key']).doUpdateSet(values))
          .execute();
        return true;
      }),

    remove: (lease, slug, key) =>
      writer.transaction().execute(async (trx) => {
        await checkLease(trx, lease, ticks());
        await trx
          .deleteFrom('plugin_state')
          .where('user_id', '=', lease.userId)
          .where('slug', '=', slug)
          .where('key', '=', key)
          .execute();
      }),

    async keys(userId, slug, prefix) {
      const rows = await reader
        .selectFrom('plugin_state')
        .select('key')
        .where('user_id', '=', userId)
        .where('slug', '=', slug)
        .where(sql<boolean>`substr(key, 1, length(${prefix})) = ${prefix}`)
        .orderBy('key')
        .execute();
      return rows.map(({ key }) => key);
    },
  };
}
