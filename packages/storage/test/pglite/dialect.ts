import type { PGlite } from '@electric-sql/pglite';
import {
  actingUser,
  createPostgresDialect,
  EVERYONE,
  explained,
  type StorageDialect,
  type Tables,
  withUserSetting,
} from '@recollect/storage';
import { type Dialect, Kysely, PGliteDialect } from 'kysely';

export interface PGliteOptions {
  isKept?: boolean;
  onStatement?: (sql: string) => void;
  wrap?: (dialect: Dialect) => Dialect;
}

/**
 * The dialect of PostgreSQL, in the process of the tests. The instance is shared, because starting one takes seconds;
 * each store begins with empty tables, unless its rows are kept.
 *
 * @param onStatement receives each statement that runs for one user
 * @param wrap wraps the dialect that sends statements
 */
export function createPGliteDialect(
  pglite: PGlite,
  { isKept = false, onStatement = () => {}, wrap = (inner) => inner }: PGliteOptions = {},
): StorageDialect {
  return createPostgresDialect(async () => {
    await becomeOwner(pglite);
    if (!isKept) await clear(pglite);
    const db = new Kysely<Tables>({
      dialect: explained(withUserSetting(wrap(new PGliteDialect({ pglite })))),
      log({ query }) {
        if (!['', EVERYONE].includes(actingUser())) onStatement(query.sql);
      },
    });
    return { reader: db, writer: db, location: 'postgres://pglite/', close: async () => {} };
  });
}

/** Adds the extension, and acts as an owner of tables: row-level security does not apply to PGlite's superuser. */
async function becomeOwner(pglite: PGlite): Promise<void> {
  await pglite.exec(`reset role; create extension if not exists vector;
    do $$ begin create role owner_of_tests; exception when duplicate_object then null; end $$;
    grant all on schema public to owner_of_tests; set role owner_of_tests`);
}

/** Empties all tables but the list of migrations: dropping and making them takes several times as long. */
async function clear(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
  );
  if (rows.length === 0) return;
  const emptied = rows.filter(({ name }) => name !== 'users').map(({ name }) => `"${name}"`);
  // The migration has added the local user.
  await pglite.exec(`truncate ${emptied.join(', ')} restart identity cascade; delete from users where id <> 'local'`);
}
