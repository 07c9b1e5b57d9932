import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import type { StorageDialect } from './dialect.js';
import { StoreRefusedError } from './store-refused-error.js';
import type { Tables } from './tables.js';

/** Returns the names of the migrations that were applied to a store; none for a new one. */
export async function appliedMigrations(db: Kysely<Tables>, { hasTable }: StorageDialect): Promise<string[]> {
  if (!(await hasTable(db, DEFAULT_MIGRATION_TABLE))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Throws {@link StoreRefusedError} if a newer version has applied a migration. */
export function refuseNewer(applied: readonly string[], { migrations }: StorageDialect): void {
  if (applied.some((name) => !Object.hasOwn(migrations, name))) throw new StoreRefusedError('too-new');
}

/** Applies the migrations that a store lacks. Throws {@link StoreRefusedError} for one of a newer version. */
export async function migrateSchema(db: Kysely<Tables>, dialect: StorageDialect): Promise<void> {
  refuseNewer(await appliedMigrations(db, dialect), dialect);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => dialect.migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
