import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { ConnectOptions } from '../connect-options.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import type { OpenDatabase } from './connections.js';
import { codeOf, explainFault, isGone, isReadOnly } from './explain-fault.js';
import { explained } from './explained-dialect.js';
import { createHostPool } from './host-pool.js';
import { createHosts, type Hosts } from './hosts.js';
import { createListen } from './listen.js';
import { checkServer } from './server-check.js';
import { withUserSetting } from './user-setting.js';

/** Connections that read, for each of the threads that SQLite would have, and connections that write. */
const CONNECTIONS = { perReader: 4, writers: 4 };

/** Object ids of types that JavaScript's numbers represent: counts, and sums of them. */
const NUMERIC_TYPES = [20, 1700];

const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    NUMERIC_TYPES.includes(id) ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
};

/**
 * What a connection is set to: an approximate search of vectors looks at more of them until enough meet its filter, and
 * for the tokens of a query that a planner cannot estimate, compiling costs more than it saves.
 */
const SETTINGS = ['hnsw.ef_search = 150', "hnsw.iterative_scan = 'strict_order'", 'jit = off'];

const EXEMPT =
  'The account of the database is a superuser or bypasses row-level security, so only the statements of Recollect ' +
  "separate the people. Use an account that owns the database: create role recollect login password '…'.";

/** Opens connections to a server. Throws {@link StoreRefusedError} if its database cannot hold a store. */
export async function openServer(url: string, { readers, readUrl, onNotice }: ConnectOptions): Promise<OpenDatabase> {
  const hosts = createHosts(url);
  const reader = openPool(hosts, Math.max(1, readers) * CONNECTIONS.perReader);
  const writer = openPool(hosts, CONNECTIONS.writers);
  const replica =
    readUrl === undefined ? undefined : openPool(createHosts(readUrl, { isReplica: true }), CONNECTIONS.perReader * 2);
  const { listen, close: stopListening } = createListen(hosts);
  const close = async () => {
    await Promise.all([reader.destroy(), writer.destroy(), replica?.destroy(), stopListening()]);
  };
  try {
    const { isExempt } = await checkServer(writer);
    // A server has readers. A command would repeat the notice each time.
    if (isExempt && readers > 0) onNotice?.(EXEMPT);
    await refusePooler(hosts.present());
    return { reader, writer, ...(replica && { replica }), location: hosts.location, listen, close };
  } catch (error) {
    await close().catch(() => {});
    throw refusalOf(error);
  }
}

function openPool(hosts: Hosts, max: number): Kysely<Tables> {
  const pool = createHostPool(hosts, { max, types, prepare });
  const explain = (error: unknown) => {
    // A primary that became a standby: the next connection looks for the new primary.
    if (isReadOnly(error)) pool.leave();
    return explainFault(error);
  };
  return new Kysely<Tables>({ dialect: explained(withUserSetting(new PostgresDialect({ pool })), explain) });
}

/** The settings belong to the extension, whose library a function of it loads. */
async function prepare(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_extension where extname = 'vector'");
  if (rowCount === 1) await client.query(`select '[1]'::vector; ${SETTINGS.map((one) => `set ${one}`).join('; ')}`);
}

/**
 * Refuses a pooler that gives a connection to another client after each transaction: locks, settings and notifications
 * belong to connections. Two clients that have the same backend at the same time prove one.
 */
async function refusePooler(url: string): Promise<void> {
  const clients = [new pg.Client(url), new pg.Client(url)];
  try {
    const backends: number[] = [];
    for (const client of clients) {
      await client.connect();
      const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id');
      backends.push(rows[0]?.id ?? 0);
    }
    if (backends[0] === backends[1]) throw new StoreRefusedError('pooler');
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** An error that means that the store cannot be opened. */
function refusalOf(error: unknown): unknown {
  if (error instanceof StoreRefusedError) return error;
  const cause = (error as { cause?: unknown }).cause ?? error;
  const code = codeOf(cause);
  if (code === '28P01' || code === '28000') return new StoreRefusedError('login', { cause });
  if (code === '3D000') return new StoreRefusedError('no-database', { cause });
  if (code === '42501') return new StoreRefusedError('no-right', { cause });
  if (isReadOnly(cause)) return new StoreRefusedError('standby', { cause });
  if (/SSL|certificate|self.signed|ALTNAME/i.test(`${code} ${(cause as Error).message ?? ''}`))
    return new StoreRefusedError('no-tls', { cause });
  return isGone(cause) ? new StoreRefusedError('unreachable', { cause }) : error;
}
