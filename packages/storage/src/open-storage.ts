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
import { Migrator } from 'kysely/migration';
import { createApiKeyStore } from './api-key-store.js';
import type { Connected, StorageDialect } from './dialect.js';
import { createEventOutbox } from './event-outbox.js';
import { createIndexingJobStore } from './indexing-job-store.js';
import { createInstallationStore } from './installation-store.js';
import { createLeaseStore } from './lease-store.js';
import { createMemoryStore } from './memory-store.js';
import { createObservers } from './observers.js';
import { createPluginJobStore } from './plugin-job-store.js';
import { createPluginStateStore } from './plugin-state-store.js';
import { sqliteDialect } from './sqlite/dialect.js';
import { machineTicks, type Ticks } from './ticks.js';

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
  /** Throws when the database cannot be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The store was written by a newer version of the program. Nothing in it was touched. */
export class StoreTooNewError extends Error {
  override readonly name = 'StoreTooNewError';
}

/** The file is no store, or a damaged one. It was left as it is. */
export class StoreUnreadableError extends Error {
  override readonly name = 'StoreUnreadableError';
}

/** Opens a store, creating it or bringing its schema up to date. Must be closed. Throws
 * {@link StoreTooNewError} and {@link StoreUnreadableError}. */
export async function openStorage({ url, readers = 2, ticks = machineTicks }: StorageOptions): Promise<Storage> {
  const dialect = dialects[url.slice(0, url.indexOf(':'))];
  if (dialect === undefined)
    throw new Error(`No store is known for this address; it must begin with ${Object.keys(dialects).join(': or ')}:.`);
  const connected = await dialect.connect(url, { readers }).catch(asUnreadable);
  try {
    await migrate(connected, dialect);
  } catch (error) {
    await connected.close();
    return asUnreadable(error);
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
      await connected.reader.selectFrom('memories').select('id').limit(1).execute();
    },
    close: connected.close,
  };
}

function asUnreadable(error: unknown): never {
  if (error instanceof Error && /not a database|malformed/.test(error.message)) {
    throw new StoreUnreadableError('The file is not a Recollect store, or it is damaged. It was left as it is.', {
      cause: error,
    });
  }
  throw error;
}

async function migrate({ writer }: Connected, dialect: StorageDialect): Promise<void> {
  const migrator = new Migrator({ db: writer, provider: { getMigrations: async () => dialect.migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof Error && error.message.includes('corrupted migrations')) {
    throw new StoreTooNewError(
      'The store was written by a newer version of Recollect. Update the program; nothing was changed.',
    );
  }
  throw error;
}
