import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { codeOf } from './explain-fault.js';
import { MARK_TABLE } from './store-mark.js';

/** The oldest server, as `server_version_num` has it, and the oldest pgvector. */
const LEAST = { server: 150_000, pgvector: [0, 8, 4] } as const;

/** Tables that every version of the store has, and no other program has all of. */
const SIGNATURE = ['memories', 'chunks', 'memory_history', 'index_changes'];
/** Tables that are made before those. */
const FIRST: readonly string[] = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE, MARK_TABLE];

interface Facts {
  server: number;
  encoding: string;
  pgvector: string | null;
  available: string | null;
  schema: string | null;
  tables: readonly string[];
  isExempt: boolean;
}

/**
 * Checks that a database can hold a store, and adds pgvector to it if it is installed on the server. Returns whether
 * row-level security exempts the account. Throws {@link StoreRefusedError}; no table was changed then.
 */
export async function checkServer(db: Kysely<Tables>): Promise<{ isExempt: boolean }> {
  const { rows } = await sql<Facts>`
    select current_setting('server_version_num')::integer as server, current_setting('server_encoding') as encoding,
      (select extversion from pg_extension where extname = 'vector') as pgvector,
      (select default_version from pg_available_extensions where name = 'vector') as available,
      current_schema() as schema,
      (select coalesce(array_agg(tablename::text), '{}') from pg_tables where schemaname = current_schema()) as tables,
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "isExempt"`.execute(db);
  const [facts] = rows;
  if (facts === undefined || facts.server < LEAST.server) throw new StoreRefusedError('server-too-old');
  if (facts.encoding !== 'UTF8') throw new StoreRefusedError('server-encoding');
  if (facts.schema === null) throw new StoreRefusedError('no-schema');
  const isStore = SIGNATURE.every((name) => facts.tables.includes(name));
  // An interrupted first start or move leaves only some tables.
  const isNew = facts.tables.every((name) => FIRST.includes(name));
  if (!isStore && !isNew) throw new StoreRefusedError('foreign-tables');
  await checkPgvector(db, facts);
  return { isExempt: facts.isExempt };
}

async function checkPgvector(db: Kysely<Tables>, { pgvector, available }: Facts): Promise<void> {
  if (pgvector !== null) {
    if (isOlder(pgvector)) throw new StoreRefusedError('pgvector-too-old');
    return;
  }
  if (available === null) throw new StoreRefusedError('no-pgvector');
  if (isOlder(available)) throw new StoreRefusedError('pgvector-too-old');
  try {
    await sql`create extension if not exists vector`.execute(db);
  } catch (error) {
    if (codeOf(error) === '42501') throw new StoreRefusedError('no-right', { cause: error });
    // Another process has created it at the same time.
    if (codeOf(error) !== '23505') throw error;
  }
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number);
  const at = LEAST.pgvector.findIndex((least, place) => (parts[place] ?? 0) !== least);
  return at >= 0 && (parts[at] ?? 0) < (LEAST.pgvector[at] ?? 0);
}
