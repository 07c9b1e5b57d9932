import { timingSafeEqual } from 'node:crypto';
import type { SessionStore, StoredSession } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { toKey } from './api-key-store.js';
import { createCredentials, hashOf } from './credentials.js';

type Row = Selectable<Tables['web_sessions']>;

/** Sessions of the web app in a database, portable over dialects. */
export function createSessionStore(database: Database): SessionStore {
  const { writer, lookup } = database;

  return {
    ...createCredentials(database, 'web_sessions', toSession),

    async insert(stored, token) {
      await writer
        .insertInto('web_sessions')
        .values({
          user_id: stored.userId,
          id: stored.id,
          api_key_id: stored.apiKeyId,
          hash: hashOf(token).toString('hex'),
          label: stored.label,
          created_at: stored.createdAt,
          last_used_at: stored.lastUsedAt,
          expires_at: stored.expiresAt,
        })
        .execute();
    },

    async find(token) {
      const hash = hashOf(token);
      const session = await lookup
        .selectFrom('web_sessions')
        .selectAll()
        .where('hash', '=', hash.toString('hex'))
        .executeTakeFirst();
      if (session === undefined || !timingSafeEqual(Buffer.from(session.hash, 'hex'), hash)) return null;
      const key = await lookup
        .selectFrom('api_keys')
        .selectAll()
        .where('user_id', '=', session.user_id)
        .where('id', '=', session.api_key_id)
        .executeTakeFirst();
      return key === undefined ? null : { session: toSession(session), key: toKey(key) };
    },

    async removeExpired(now) {
      await writer.deleteFrom('web_sessions').where('expires_at', '<=', now).execute();
    },
  };
}

function toSession(row: Row): StoredSession {
  return {
    userId: row.user_id,
    id: row.id,
    apiKeyId: row.api_key_id,
    label: row.label,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  };
}
