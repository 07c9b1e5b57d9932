import type { PluginStateStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { checkLease } from '../leases/lease-store.js';
import { startsWith } from '../starts-with.js';

/** The state of plugins in a database, portable over dialects. */
export function createPluginStateStore({ reader, transaction, clock }: Database): PluginStateStore {
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
      transaction(lease.userId, async (trx) => {
        const { userId } = lease;
        await checkLease(trx, clock, lease);
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
      transaction(lease.userId, async (trx) => {
        await checkLease(trx, clock, lease);
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
        .where((eb) => startsWith(eb.ref('key'), prefix))
        .orderBy('key')
        .execute();
      return rows.map(({ key }) => key);
    },
  };
}
