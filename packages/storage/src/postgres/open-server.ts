import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { ConnectOptions } from '../connect-options.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import type { OpenDatabase } from './connections.js';
import { codeOf, explainFault, isGone, isReadOnly } from './explain-fault.js';
import { explained } from './explained-dialect.js';
import { createHostPool, type PoolOptions } from './host-pool.js';
import { createHosts, type Hosts } from './hosts.js';
import { cancelWithSearch } from './limit-search.js';
import { createListen } from './listen.js';
import { prepareStatements } from './prepare-statements.js';
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

/** A statement that takes longer is ended: it would keep others from the connections. */
const TIMEOUT = "statement_timeout = '60s'";

/** For the tokens of a query that a planner cannot estimate, compiling costs more than it saves. */
const SEARCH_SETTINGS = [TIMEOUT, 'jit = off'];
/** An approximate search of vectors looks at more of them until enough meet its filter. */
const VECTOR_SETTINGS = ['hnsw.ef_search = 150', "hnsw.iterative_scan = 'strict_order'"];

/**
 * Statements of writes look up rows by their keys. Without statistics, as in the first minutes of an import, the
 * planner would read whole tables.
 */
const WRITE_SETTINGS = [
  TIMEOUT,
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'jit = off',
];

const EXEMPT =
  'The account of the database is a superuser or bypasses row-level security, so only the statements of Recollect ' +
  "separate the people. Use an account that owns the database: create role recollect login password '…'.";

/** Opens connections to a server. Throws {@link StoreRefusedError} if its database cannot hold a store. */
export async function openServer(url: string, { readers, readUrl, onNotice }: ConnectOptions): Promise<OpenDatabase> {
  const hosts = createHosts(url);
  const reader = openPool(hosts, Math.max(1, readers) * CONNECTIONS.perReader, prepareSearches);
  const writer = openPool(hosts, CONNECTIONS.writers, (client) => setUp(client, WRITE_SETTINGS));
  const replica =
    readUrl === undefined
      ? undefined
      : openPool(createHosts(readUrl, { isReplica: true }), CONNECTIONS.perReader * 2, prepareSearches);
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

function openPool(hosts: Hosts, max: number, prepare: PoolOptions['prepare']): Kysely<Tables> {
  const pool = createHostPool(hosts, { max, types, prepare });
  const explain = (error: unknown) => {
    // A primary that became a standby: the next connection looks for the new primary.
    if (isReadOnly(error)) pool.leave();
    return explainFault(error);
  };
  return new Kysely<Tables>({ dialect: explained(withUserSetting(new PostgresDialect({ pool })), explain) });
}

const prepareSearches: PoolOptions['prepare'] = async (client, cancel) => {
  // The settings belong to the extension, whose library a function of it loads.
  const { rowCount } = await client.query("select 1 from pg_extension where extname = 'vector'");
  if (rowCount === 1) await client.query("select '[1]'::vector");
  await setUp(client, rowCount === 1 ? [...SEARCH_SETTINGS, ...VECTOR_SETTINGS] : SEARCH_SETTINGS);
  prepareStatements(client);
  cancelWithSearch(client, cancel);
};

/** A pooler refuses settings that come with the connection. */
async function setUp(client: pg.ClientBase, settings: readonly string[]): Promise<void> {
  await client.query(settings.map((one) => `set ${one}`).join('; '));
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
  if (code === '53300') return new StoreRefusedError('no-connection', { cause });
  if (/SSL|certificate|self.signed|ALTNAME/i.test(`${code} ${(cause as Error).message ?? ''}`))
    return new StoreRefusedError('no-tls', { cause });
  return isGone(cause) ? new StoreRefusedError('unreachable', { cause }) : error;
}
