import { timingSafeEqual } from 'node:crypto';
import { type ApiKeyStore, prefixOf, type StoredApiKey } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { createCredentials, hashOf } from './credentials.js';

type Row = Selectable<Tables['api_keys']>;

/** API keys in a database, portable over dialects. */
export function createApiKeyStore(database: Database): ApiKeyStore {
  const { writer, lookup } = database;
  // Compiled once, because compiling takes longer than the read.
  const withPrefix = lookup.selectFrom('api_keys').selectAll().where('prefix', '=', '').compile();

  return {
    ...createCredentials(database, 'api_keys', toKey),

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

    async find(key) {
      // No key contains NUL, and not every database accepts it in a text.
      if (key.includes('\0')) return null;
      const { rows } = await lookup.executeQuery<Row>({ ...withPrefix, parameters: [prefixOf(key)] });
      const hash = hashOf(key);
      const [found] = rows.filter((row) => timingSafeEqual(Buffer.from(row.hash, 'hex'), hash));
      return found === undefined ? null : toKey(found);
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
