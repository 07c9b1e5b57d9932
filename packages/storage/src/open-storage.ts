import type {
  ApiKeyStore,
  ChangeLog,
  EventOutbox,
  HighlightStore,
  HistoryStore,
  IndexingJobStore,
  InstallationStore,
  LeaseStore,
  MemoryStore,
  PluginJobStore,
  PluginStateStore,
  SessionStore,
  StoreInspector,
  TextIndex,
  VectorIndex,
} from '@recollect/core';
import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { createApiKeyStore } from './access/api-key-store.js';
import { createSessionStore } from './access/session-store.js';
import type { Connected, Database, StorageDialect, VectorSearch } from './dialect.js';
import { createHighlightStore } from './highlights/highlight-store.js';
import { createChangeLog } from './indexing/change-log.js';
import { createIndexingJobStore } from './indexing/indexing-job-store.js';
import { createInspector } from './inspector.js';
import { createPluginJobStore } from './jobs/plugin-job-store.js';
import { createLeaseStore } from './leases/lease-store.js';
import { createHistoryStore } from './memories/history-store.js';
import { createMemoryStore } from './memories/memory-store.js';
import { createEventOutbox } from './plugins/event-outbox.js';
import { createInstallationStore } from './plugins/installation-store.js';
import { createObservers } from './plugins/observers.js';
import { createPluginStateStore } from './plugins/plugin-state-store.js';
import { sqliteDialect } from './sqlite/dialect.js';
import { StoreRefusedError } from './store-refused-error.js';
import { clockOf, type Ticks } from './time/ticks.js';

const dialects: Readonly<Record<string, StorageDialect>> = { sqlite: sqliteDialect, file: sqliteDialect };

export interface StorageOptions {
  /** `sqlite:` and a path, `file://…`, or `sqlite::memory:`. The scheme selects the dialect. */
  url: string;
  /** Read connections, each in its own thread; 2 by default. */
  readers?: number | undefined;
  /** The clock that times leases; the dialect's own by default. */
  ticks?: Ticks | undefined;
  /** A dialect for URLs of other schemes. */
  dialect?: StorageDialect | undefined;
}

/** The stores that core needs, over one database. */
export interface Storage {
  memories: MemoryStore;
  history: HistoryStore;
  highlights: HighlightStore;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
  changes: ChangeLog;
  indexingJobs: IndexingJobStore;
  apiKeys: ApiKeyStore;
  sessions: SessionStore;
  leases: LeaseStore;
  installations: InstallationStore;
  pluginJobs: PluginJobStore;
  pluginState: PluginStateStore;
  eventOutbox: EventOutbox;
  inspector: StoreInspector;
  /** Throws if the database cannot be read or accepts no changes. */
  check(): Promise<void>;
  /** Whether changes are rejected because the disk failed or the file is damaged. */
  isHalted(): boolean;
  close(): Promise<void>;
}

/**
 * Opens a store. Creates it if it does not exist, and migrates its schema if it is older. The caller must close it. Throws
 * {@link StoreRefusedError}.
 *
 * @example
 * const storage = await openStorage({ url: 'sqlite:/home/ann/.recollect/recollect.db' });
 * const core = createCore({ ...storage, embeddingModel });
 * await storage.close();
 */
export async function openStorage({ url, readers = 2, ticks, dialect: given }: StorageOptions): Promise<Storage> {
  const dialect = given ?? dialects[url.slice(0, url.indexOf(':'))];
  if (dialect === undefined)
    throw new Error(`Unknown store URL. It must start with ${Object.keys(dialects).join(': or ')}:.`);
  const connected = await dialect.connect(url, { readers });
  try {
    await migrate(connected, dialect);
  } catch (error) {
    await connected.close({ keepsFiles: error instanceof StoreRefusedError }).catch(() => {});
    throw error;
  }
  const { reader, writer, lookup } = connected;
  const clock = ticks === undefined ? dialect.sql.clock : clockOf(ticks);
  const database: Database = { reader, writer, lookup, list: dialect.sql.list, clock };
  const indexes = { text: dialect.textIndexTable, vectors: dialect.vectorIndexTable };
  const observers = createObservers(database);
  const leases = createLeaseStore(database);
  const changes = createChangeLog(database);
  return {
    memories: createMemoryStore(database, indexes, observers),
    history: createHistoryStore(database),
    highlights: createHighlightStore(database),
    textIndex: dialect.createTextIndex(database),
    vectorIndex: followChanges(dialect.createVectorSearch(database), changes),
    changes,
    indexingJobs: createIndexingJobStore(database, leases),
    apiKeys: createApiKeyStore(database),
    sessions: createSessionStore(database),
    leases,
    installations: createInstallationStore(database, observers),
    pluginJobs: createPluginJobStore(database),
    pluginState: createPluginStateStore(database),
    eventOutbox: createEventOutbox(database),
    inspector: createInspector(database, connected),
    async check() {
      connected.checkWritable();
      await reader.selectFrom('memories').select('id').limit(1).execute();
    },
    isHalted: connected.isHalted,
    close: () => connected.close(),
  };
}

/** Passes the number of the newest change to every search. */
function followChanges(vectors: VectorSearch, changes: ChangeLog): VectorIndex {
  return {
    ...vectors,
    search: async (userId, modelId, vector, options) =>
      vectors.search(userId, modelId, vector, { ...options, sequence: await changes.latest() }),
  };
}

async function migrate(connected: Connected, dialect: StorageDialect): Promise<void> {
  // Migrating takes the write lock, and a process that only reads must not wait for it.
  const { migrations } = dialect;
  const applied = await appliedMigrations(connected, dialect);
  if (applied.some((name) => !Object.hasOwn(migrations, name))) throw new StoreRefusedError('too-new');
  if (Object.keys(migrations).every((name) => applied.includes(name))) return;
  const migrator = new Migrator({ db: connected.writer, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The names of the migrations that were applied to a store; none for a new one. */
async function appliedMigrations({ reader }: Connected, { hasTable }: StorageDialect): Promise<string[]> {
  if (!(await hasTable(reader, DEFAULT_MIGRATION_TABLE))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(reader);
  return rows.map(({ name }) => name);
}
