import { sql } from 'kysely';
import { actAs, EVERYONE } from '../acting-user.js';
import { migrateSchema } from '../schema.js';
import { StoreRefusedError } from '../store-refused-error.js';
import { createPostgresDialect } from './dialect.js';
import { explainFault } from './explain-fault.js';
import { openServer } from './open-server.js';
import { refuseMarkedDatabase } from './store-mark.js';

/** Tables of which each machine has a copy: small, and joined with tables of users or read before a user is known. */
export const COPIED_TABLES = [
  'users',
  'models',
  'plugin_installations',
  'api_keys',
  'web_sessions',
  'pairing_codes',
  'invitations',
  'passkeys',
  'identities',
  'server_secrets',
  'used_challenges',
] as const;

/** Tables of the deployment, which stay on the coordinator. */
export const COORDINATOR_TABLES = ['error_log', 'audit_log', 'store_time', 'integrity_round'] as const;

/** Settings of every connection to the cluster. Settings of a connection do not reach the other machines. */
const SETTINGS = ['citus.enable_unsafe_triggers = on', 'hnsw.ef_search = 150', "hnsw.iterative_scan = 'strict_order'"];

/** The functions that queries and triggers use, which each machine needs. */
const FUNCTIONS = ['count_occurrences(tsvector, tsquery)', 'count_in_title(tsvector, tsquery)', 'sum_lexemes(text)'];

/** What distributing a store has done. */
export interface Distribution {
  /** The tables that were spread over the machines by user. */
  spread: string[];
  /** The tables that were copied to each machine. */
  copied: string[];
}

/**
 * Spreads the tables of users over the machines of a Citus cluster, and copies small ones to each. Tables that are
 * distributed already are left out, so it can be repeated. Throws {@link StoreRefusedError} without Citus.
 *
 * @param url the coordinator's address
 */
export async function distributeStore(url: string): Promise<Distribution> {
  const { writer: db, close } = await openServer(url, { readers: 0 });
  try {
    return await actAs(EVERYONE, async () => {
      const { rows: extensions } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
      if (extensions.length === 0) throw new StoreRefusedError('no-citus');
      await refuseMarkedDatabase(db);
      await migrateSchema(db, createPostgresDialect());
      return await db.connection().execute(async (connection) => {
        for (const setting of SETTINGS) {
          await sql.raw(`set ${setting}`).execute(connection);
          const statement = `alter database %I set ${setting}`;
          await sql`select run_command_on_all_nodes(format(${statement}, current_database()))`.execute(connection);
        }
        const { rows } = await sql<{ name: string; isSecured: boolean }>`
          select c.relname as name, c.relrowsecurity as "isSecured" from pg_class c
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
            and c.oid not in (select logicalrelid from pg_dist_partition)
          order by c.oid`.execute(connection);
        const copied = rows.filter(({ name }) => (COPIED_TABLES as readonly string[]).includes(name));
        const others = [...COPIED_TABLES, ...COORDINATOR_TABLES] as readonly string[];
        const spread = rows.filter(({ name }) => !others.includes(name) && !isOfMigrations(name));
        // The setting that policies read does not reach the other machines.
        for (const { name } of [...copied, ...spread].filter(({ isSecured }) => isSecured))
          await sql`alter table ${sql.table(name)} disable row level security`.execute(connection);
        for (const { name } of copied) await sql`select create_reference_table(${name})`.execute(connection);
        for (const { name } of spread)
          await sql`select create_distributed_table(${name}, 'user_id')`.execute(connection);
        if (spread.length > 0)
          for (const name of FUNCTIONS)
            await sql`select create_distributed_function(${name}::regprocedure)`.execute(connection);
        return { spread: spread.map(({ name }) => name), copied: copied.map(({ name }) => name) };
      });
    });
  } catch (error) {
    throw explainFault(error);
  } finally {
    await close();
  }
}

function isOfMigrations(name: string): boolean {
  return name.startsWith('kysely_') || name === 'store_mark';
}
