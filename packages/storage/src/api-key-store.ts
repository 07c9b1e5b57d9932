import type { ApiKeyStore, StoredApiKey } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.js';

/** API keys in a database, portable over dialects. */
export function createApiKeyStore({ reader, writer }: Database): ApiKeyStore {
  return {
    async insert(key) {
      await writer
        .insertInto('api_keys')
        .values({
          user_id: key.userId,
          id: key.id,
          name: key.name,
          prefix: key.prefix,
          hash: key.hash,
          scopes: JSON.stringify(key.scopes),
          created_at: key.createdAt,
          last_used_at: key.lastUsedAt,
          expires_at: key.expiresAt,
        })
        .execute();
    },

    async list(userId) {
      const rows = await reader
        .selectFrom('api_keys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toKey);
    },

    async remove(userId, id) {
      const { numDeletedRows } = await writer
        .deleteFrom('api_keys')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async findByPrefix(prefix) {
      const rows = await reader.selectFrom('api_keys').selectAll().where('prefix', '=', prefix).execute();
      return rows.map(toKey);
    },

    async touch(userId, id, now) {
      await writer
        .updateTable('api_keys')
        .set({ last_used_at: now })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .execute();
    },
  };
}

function toKey(row: Selectable<Tables['api_keys']>): StoredApiKey {
  return {
    userId: row.user_id,
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    scopes: JSON.parse(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  };
}
