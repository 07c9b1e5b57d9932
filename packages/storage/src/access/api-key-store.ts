import { createHash, timingSafeEqual } from 'node:crypto';
import { type ApiKeyStore, prefixOf, type StoredApiKey } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';

type Row = Selectable<Tables['api_keys']>;

/** API keys in a database, portable over dialects. */
export function createApiKeyStore({ reader, writer, lookup }: Database): ApiKeyStore {
  // Compiled once, because compiling takes longer than the read.
  const withPrefix = lookup.selectFrom('api_keys').selectAll().where('prefix', '=', '').compile();

  return {
    async insert(stored, key) {
      await writer
        .insertInto('api_keys')
        .values({
          user_id: stored.userId,
          id: stored.id,
          name: stored.name,
          prefix: stored.prefix,
          hash: hashOf(key).toString('hex'),
          scopes: JSON.stringify(stored.scopes),
          created_at: stored.createdAt,
          last_used_at: stored.lastUsedAt,
          expires_at: stored.expiresAt,
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

    async find(key) {
      // No key contains NUL, and not every database accepts it in a text.
      if (key.includes('\0')) return null;
      const { rows } = await lookup.executeQuery<Row>({ ...withPrefix, parameters: [prefixOf(key)] });
      const hash = hashOf(key);
      const [found] = rows.filter((row) => timingSafeEqual(Buffer.from(row.hash, 'hex'), hash));
      return found === undefined ? null : toKey(found);
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

/** A stored key from its row. */
export function toKey(row: Row): StoredApiKey {
  return {
    userId: row.user_id,
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  };
}

/** The SHA-256 of a secret. */
export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
