import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';

/** API keys and sessions are tables of credentials: each row belongs to a user and has the hash of a secret. */
type CredentialTable = 'api_keys' | 'web_sessions';

/** The shared operations of both stores on their table. */
export function createCredentials<Table extends CredentialTable, Stored>(
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
