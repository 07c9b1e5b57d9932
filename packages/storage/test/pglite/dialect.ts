import type { PGlite } from '@electric-sql/pglite';
import type { Connected, StorageDialect, Tables } from '@recollect/storage';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { createHybridIndex } from './hybrid-index.js';
import { migrations } from './migrations.js';
import { pgliteSql } from './sql-dialect.js';
import { createTextIndex, textIndexTable } from './text-index.js';
import { createVectorIndex, vectorIndexTable } from './vector-index.js';

/**
 * A minimal in-process PostgreSQL dialect. It proves that everything outside `sqlite/` is portable. The instance is
 * shared, because starting one takes seconds; each store begins with empty tables.
 */
export function createPGliteDialect(pglite: PGlite): StorageDialect {
  return {
    connect: () => connect(pglite),
    migrations,
    hasTable: async (db, name) => {
      const { rows } = await sql`select 1 from pg_tables where schemaname = 'public' and tablename = ${name}`.execute(
        db,
      );
      return rows.length > 0;
    },
    sql: pgliteSql,
    textIndexTable,
    vectorIndexTable,
  };
}

/** Empties all tables but the list of migrations: dropping and making them takes several times as long. */
async function clear(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
  );
  if (rows.length === 0) return;
  await pglite.exec(`truncate ${rows.map(({ name }) => `"${name}"`).join(', ')} restart identity cascade`);
}

/** One connection for everything, so write transactions run one at a time. */
async function connect(pglite: PGlite): Promise<Connected> {
  await clear(pglite);
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  return {
    reader: db,
    writer: db,
    lookup: db,
    facts: async () => ({ location: null, bytes: 0, freeBytes: null, lacksReserve: false }),
    problem: () => null,
    createSearches(database) {
      const [textIndex, vectorIndex] = [createTextIndex(database), createVectorIndex(database)];
      return { textIndex, vectorIndex, hybridIndex: createHybridIndex(database, textIndex, vectorIndex) };
    },
    close: async () => {},
  };
}
