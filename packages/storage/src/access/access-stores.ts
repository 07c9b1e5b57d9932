import { createHash, timingSafeEqual } from 'node:crypto';
import { type ApiKeyStore, prefixOf, type SessionStore, type StoredApiKey, type StoredSession } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';

type Row = Selectable<Tables['api_keys']>;

/** API keys in a database, portable over dialects. */
export function createApiKeyStore(database: Database): ApiKeyStore {
  const { writer, lookup } = database;
  // Compiled once, because compiling takes longer than the read.
  const withPrefix = lookup.selectFrom('api_keys').selectAll().where('prefix', '=', '').compile();

  return {
    ...createCredentials(database, 'api_keys', toKey),

    async insert(stored, key) {
      await writer.insertInto('api_keys').values(toKeyRow(stored, key)).execute();
    },

    async find(key) {
      // No key contains NUL, and not every database accepts it in a text.
      if (key.includes('\0')) return null;
      const { rows } = await lookup.executeQuery<Row>({ ...withPrefix, parameters: [prefixOf(key)] });
      const hash = hashOf(key);
      const [matchingRow] = rows.filter((row) => timingSafeEqual(Buffer.from(row.hash, 'hex'), hash));
      return matchingRow === undefined ? null : toKey(matchingRow);
    },
  };
}

/** The row of a key. */
export function toKeyRow(stored: StoredApiKey, key: string): Row {
  return {
    user_id: stored.userId,
    id: stored.id,
    name: stored.name,
    prefix: stored.prefix,
    hash: hashOf(key).toString('hex'),
    scopes: JSON.stringify(stored.scopes),
    created_at: stored.createdAt,
    last_used_at: stored.lastUsedAt,
    expires_at: stored.expiresAt,
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

type SessionRow = Selectable<Tables['web_sessions']>;

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
          provider_session: stored.providerSession,
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

    async removeOfProvider({ issuer, subject, session }) {
      if (subject?.includes('\0') || session?.includes('\0')) return 0;
      const { numDeletedRows } = await writer
        .deleteFrom('web_sessions')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('identities')
              .select('subject')
              .whereRef('identities.user_id', '=', 'web_sessions.user_id')
              .whereRef('identities.api_key_id', '=', 'web_sessions.api_key_id')
              .where('issuer', '=', issuer)
              .$if(subject !== null, (query) => query.where('subject', '=', subject ?? '')),
          ),
        )
        .$if(session !== null, (query) => query.where('provider_session', '=', session))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async removeExpired(now) {
      await writer.deleteFrom('web_sessions').where('expires_at', '<=', now).execute();
    },
  };
}

function toSession(row: SessionRow): StoredSession {
  return {
    userId: row.user_id,
    id: row.id,
    apiKeyId: row.api_key_id,
    label: row.label,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    providerSession: row.provider_session,
  };
}

/** API keys and sessions are tables of credentials: each row belongs to a user and has the hash of a secret. */
type CredentialTable = 'api_keys' | 'web_sessions';

/** The shared operations of both stores on their table. */
function createCredentials<Table extends CredentialTable, Stored>(
  { reader, writer }: Database,
  name: Table,
  toStored: (row: Selectable<Tables[Table]>) => Stored,
) {
  // Kysely knows the columns of both tables, but not of a type parameter.
  const table: CredentialTable = name;

  return {
    /** The credentials of a user, newest first. */
    async list(userId: string): Promise<Stored[]> {
      const rows = await reader
        .selectFrom(table)
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => toStored(row as Selectable<Tables[Table]>));
    },

    /** False if unknown. */
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await writer
        .deleteFrom(table)
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Stores the last use. */
    async touch(userId: string, id: string, now: string): Promise<void> {
      await writer
        .updateTable(table)
        .set({ last_used_at: now })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .execute();
    },
  };
}

/** The SHA-256 of a secret. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
