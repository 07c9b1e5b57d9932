import {
  LOCAL_USER,
  type RemovedRows,
  type User,
  type UserChange,
  type UserOverview,
  type UserStore,
} from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables, Trx } from '../tables.js';

type Row = Selectable<Tables['users']>;

/**
 * The tables with rows of a person that do not go with their memories, in an order that foreign keys allow. The change
 * sequence keeps the ids of deleted memories, as after every deletion: indexes in memory learn from it what is gone.
 */
const OWNED = [
  'invitations',
  'passkeys',
  'identities',
  'web_sessions',
  'pairing_codes',
  'api_keys',
  'shares',
  'saved_searches',
  'tag_looks',
  'imports',
  'site_favicons',
  'pictures',
  'idempotency_answers',
  'plugin_uses',
  'plugin_schedules',
  'plugin_runs',
  'plugin_events',
  'plugin_told',
  'plugin_state',
  'indexing_jobs',
  'leases',
  'store_counts',
] as const satisfies readonly (keyof Tables)[];

/** People in a database, portable over dialects. */
export function createUserStore({ reader, writer, lookup, transaction }: Database): UserStore {
  const findBy = async (column: 'id' | 'address_key', value: string) => {
    // Not every database accepts NUL in a text.
    if (value.includes('\0')) return null;
    const row = await lookup.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();
    return row === undefined ? null : toUser(row);
  };

  return {
    async insert(user) {
      const { numInsertedOrUpdatedRows } = await writer
        .insertInto('users')
        .values(toRow(user))
        .onConflict((conflict) => conflict.column('address_key').doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async list() {
      const rows = await reader
        .selectFrom('users')
        .leftJoin('store_counts', 'store_counts.user_id', 'users.id')
        .selectAll('users')
        .select(['store_counts.memories', 'store_counts.text_bytes', 'store_counts.picture_bytes'])
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      const uses = await Promise.all([readUses(reader, 'api_keys'), readUses(reader, 'web_sessions')]);
      return rows.map((row): UserOverview => {
        const instants = uses.flatMap((lastUses) => lastUses.get(row.id) ?? []);
        const bytes = (row.text_bytes ?? 0) + (row.picture_bytes ?? 0);
        return { ...toUser(row), memories: row.memories ?? 0, bytes, lastSeenAt: instants.toSorted().at(-1) ?? null };
      });
    },

    find: (id) => findBy('id', id),
    findByAddress: (address) => findBy('address_key', address.toLowerCase()),

    async hasOthers() {
      const other = await lookup.selectFrom('users').select('id').where('id', '<>', LOCAL_USER).limit(1).execute();
      return other.length > 0;
    },

    async update(id, change) {
      const columns = toColumns(change);
      // A statement without a column would not be valid.
      if (Object.keys(columns).length === 0) return findBy('id', id);
      const row = await writer.updateTable('users').set(columns).where('id', '=', id).returningAll().executeTakeFirst();
      return row === undefined ? null : toUser(row);
    },

    async remove(id) {
      // A transaction of the person changes no rows of others.
      await writer.deleteFrom('shared_memories').where('owner_id', '=', id).execute();
      await writer.deleteFrom('shares').where('person_id', '=', id).execute();
      return transaction(id, async (trx) => {
        const memory = await trx.selectFrom('memories').select('id').where('user_id', '=', id).limit(1).execute();
        if (memory.length > 0) return null;
        const counts: Record<string, number> = {};
        for (const table of OWNED) counts[table] = await removeRows(trx, table, id);
        const { numDeletedRows } = await trx.deleteFrom('users').where('id', '=', id).executeTakeFirst();
        return numDeletedRows === 0n ? null : toRemoved(counts);
      });
    },
  };
}

/** When each person last used a credential of a table. */
async function readUses(reader: Database['reader'], table: 'api_keys' | 'web_sessions'): Promise<Map<string, string>> {
  const rows = await reader
    .selectFrom(table)
    .select(['user_id', ({ fn }) => fn.max('last_used_at').as('last')])
    .groupBy('user_id')
    .execute();
  return new Map(rows.flatMap(({ user_id, last }) => (last === null ? [] : [[user_id, last]])));
}

async function removeRows(trx: Trx, table: (typeof OWNED)[number], userId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom(table).where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}

function toRemoved(counts: Record<string, number>): RemovedRows {
  const { saved_searches = 0, api_keys = 0, web_sessions = 0, plugin_runs = 0 } = counts;
  return { savedSearches: saved_searches, apiKeys: api_keys, sessions: web_sessions, pluginRuns: plugin_runs };
}

function toRow(user: User): Row {
  const { id, name, address, role, state, quota, createdAt } = user;
  return {
    id,
    name,
    address,
    address_key: address?.toLowerCase() ?? null,
    role,
    state,
    ...toQuotaColumns(quota),
    created_at: createdAt,
  };
}

function toColumns({ name, address, role, state, quota }: UserChange): Partial<Row> {
  return {
    ...(state === undefined ? {} : { state }),
    ...(name === undefined ? {} : { name }),
    ...(address === undefined ? {} : { address, address_key: address?.toLowerCase() ?? null }),
    ...(role === undefined ? {} : { role }),
    ...(quota === undefined ? {} : toQuotaColumns(quota)),
  };
}

function toQuotaColumns({ memories, bytes, capturesPerMinute }: User['quota']) {
  return { quota_memories: memories, quota_bytes: bytes, quota_captures: capturesPerMinute };
}

function toUser(row: Row): User {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    role: row.role,
    state: row.state,
    quota: { memories: row.quota_memories, bytes: row.quota_bytes, capturesPerMinute: row.quota_captures },
    createdAt: row.created_at,
  };
}
