import type { PGlite } from '@electric-sql/pglite';
import { createPostgresDialect, explained, type StorageDialect, type Tables } from '@recollect/storage';
import { Kysely, PGliteDialect } from 'kysely';

/**
 * The dialect of PostgreSQL, in the process of the tests. The instance is shared, because starting one takes seconds;
 * each store begins with empty tables,
 * unless its rows are kept.
 */
export function createPGliteDialect(pglite: PGlite, { isKept = false } = {}): StorageDialect {
  return createPostgresDialect(async () => {
    if (isKept) await pglite.exec('create extension if not exists vector');
    else await clear(pglite);
    const db = new Kysely<Tables>({ dialect: explained(new PGliteDialect({ pglite })) });
    return { reader: db, writer: db, location: 'postgres://pglite/', close: async () => {} };
  });
}

/** Empties all tables but the list of migrations: dropping and making them takes several times as long. */
async function clear(pglite: PGlite): Promise<void> {
  await pglite.exec('create extension if not exists vector');
  const { rows } = await pglite.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
  );
  if (rows.length === 0) return;
  const emptied = rows.filter(({ name }) => name !== 'users').map(({ name }) => `"${name}"`);
  // The migration has added the local user.
  await pglite.exec(`truncate ${emptied.join(', ')} restart identity cascade; delete from users where id <> 'local'`);
}
