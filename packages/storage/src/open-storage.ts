import type {
  ApiKeyStore,
  EventOutbox,
  IndexingJobStore,
  InstallationStore,
  LeaseStore,
  MemoryStore,
  PluginJobStore,
  PluginStateStore,
  TextIndex,
  VectorIndex,
} from '@recollect/core';
import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { createApiKeyStore } from './access/api-key-store.js';
import type { Connected, StorageDialect } from './dialect.js';
import { createEventOutbox } from './plugins/event-outbox.js';
import { createIndexingJobStore } from './indexing/indexing-job-store.js';
import { createInstallationStore } from './plugins/installation-store.js';
import { createLeaseStore } from './leases/lease-store.js';
import { createMemoryStore } from './memories/memory-store.js';
import { createObservers } from './plugins/observers.js';
import { createPluginJobStore } from './jobs/plugin-job-store.js';
import { createPluginStateStore } from './plugins/plugin-state-store.js';
import { sqliteDialect } from './sqlite/dialect.js';
import { StoreRefusedError } from './store-refused-error.js';
import { machineTicks, type Ticks } from './time/ticks.js';

const dialects: Readonly<Record<string, StorageDialect>> = { sqlite: sqliteDialect, file: sqliteDialect };

export interface StorageOptions {
  /** `sqlite:` and a path, `file://…`, or `sqlite::memory:`. The scheme picks the dialect. */
  url: string;
  /** Connections for reading, each a thread. */
  readers?: number;
  /** What leases are timed by; the machine's own when missing. */
  ticks?: Ticks;
}

/** The stores that core needs, over one database. */
export interface Storage {
  memories: MemoryStore;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
  indexingJobs: IndexingJobStore;
  apiKeys: ApiKeyStore;
  leases: LeaseStore;
  installations: InstallationStore;
  pluginJobs: PluginJobStore;
  pluginState: PluginStateStore;
  eventOutbox: EventOutbox;
  /** Throws when the database cannot be read, or accepts no changes. */
  check(): Promise<void>;
  /** Whether changes are refused, since the disk failed or the file is damaged. */
  isHalted(): boolean;
  close(): Promise<void>;
}

/** Opens a store, creating it or bringing its schema up to date. Must be closed. Throws {@link StoreRefusedError}. */
export async function openStorage({ url, readers = 2, ticks = machineTicks }: StorageOptions): Promise<Storage> {
  const dialect = dialects[url.slice(0, url.indexOf(':'))];
  if (dialect === undefined)
    throw new Error(`No store is known for this address; it must begin with ${Object.keys(dialects).join(': or ')}:.`);
  const connected = await dialect.connect(url, { readers });
  try {
    await migrate(connected, dialect);
  } catch (error) {
    await connected.close({ keepsFiles: error instanceof StoreRefusedError }).catch(() => {});
    throw error;
  }
  const textIndex = dialect.createTextIndex(connected);
  const leases = createLeaseStore(connected, ticks);
  const observers = createObservers(connected);
  return {
    memories: createMemoryStore(connected, textIndex, observers, ticks),
    textIndex,
    vectorIndex: dialect.createVectorIndex(connected),
    indexingJobs: createIndexingJobStore(connected, leases, ticks),
    apiKeys: createApiKeyStore(connected),
    leases,
    installations: createInstallationStore(connected, observers),
    pluginJobs: createPluginJobStore(connected, ticks),
    pluginState: createPluginStateStore(connected, ticks),
    eventOutbox: createEventOutbox(connected, ticks),
    async check() {
      connected.checkWritable();
      await connected.reader.selectFrom('memories').select('id').limit(1).execute();
    },
    isHalted: connected.isHalted,
    close: () => connected.close(),
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

/** The names of the migrations that a store has had; none for a new one. */
async function appliedMigrations({ reader }: Connected, { hasTable }: StorageDialect): Promise<string[]> {
  if (!(await hasTable(reader, DEFAULT_MIGRATION_TABLE))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(reader);
  return rows.map(({ name }) => name);
}
