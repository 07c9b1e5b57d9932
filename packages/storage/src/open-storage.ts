import { type CopyStore, type ErrorLog, RecollectError, type StoreInspector, type StorePorts } from '@recollect/core';
import { sql } from 'kysely';
import { createApiKeyStore, createSessionStore } from './access/access-stores.js';
import { createAuditLog } from './access/audit-log.js';
import { createPairingStore } from './access/pairing-store.js';
import { createSignInStore } from './access/sign-in-store.js';
import { createUserStore } from './access/user-store.js';
import { actAs, EVERYONE } from './acting-user.js';
import { type Connected, type Database, type StorageDialect, transactionsOf } from './dialect.js';
import { dialectOf } from './dialects.js';
import { createHighlightStore } from './highlights/highlight-store.js';
import { createImportStore } from './import-store.js';
import { createChangeLog } from './indexing/change-log.js';
import { createIndexingJobStore } from './indexing/indexing-job-store.js';
import { createPluginJobStore } from './jobs/plugin-job-store.js';
import { createLeaseStore } from './leases/lease-store.js';
import { limitToUsers } from './limit-to-users.js';
import { createHistoryStore } from './memories/history-store.js';
import { createIntegrityStore } from './memories/integrity-store.js';
import { readCounts } from './memories/memory-counts.js';
import { createMemoryStore } from './memories/memory-store.js';
import { withReserve } from './memories/with-reserve.js';
import { createPictureStore } from './pictures/picture-store.js';
import { createEventOutbox, createObservers } from './plugins/event-outbox.js';
import { createInstallationStore } from './plugins/installation-store.js';
import { createPluginStateStore } from './plugins/plugin-state-store.js';
import { createRecordStore } from './records/record-store.js';
import { rejectionOf } from './rejection-of.js';
import { createSavedSearchStore } from './saved-search-store.js';
import { appliedMigrations, migrateSchema, refuseNewer } from './schema.js';
import { createShareStore } from './share-store.js';
import { createStatisticsStore } from './statistics-store.js';
import { StoreRefusedError } from './store-refused-error.js';
import { tableNames } from './tables.js';
import { createTagLookStore } from './tag-look-store.js';
import { clockOf, type Ticks } from './time/store-time.js';

export interface StorageOptions {
  /** `sqlite:` and a path, `file://…`, `sqlite::memory:`, or `postgres://…`. The scheme selects the dialect. */
  url: string;
  /**
   * Maximum of read connections, each in its own thread, beside the write connection; 2 by default. All but the first
   * are opened when a caller has to wait. With 0 there are no threads: statements block the calling thread.
   */
  readers?: number | undefined;
  /** Memory for pages of the store, in MB per connection; 64 by default. */
  cacheMb?: number | undefined;
  /** Memory for vectors, in MB, in which they are searched faster than on disk; none by default. */
  vectorMemoryMb?: number | undefined;
  /** Memory for the text index, in MB, in which words are searched faster than on disk; none by default. */
  textMemoryMb?: number | undefined;
  /** The URL of a replica of a database, on which searches are done once it has all changes of their user. */
  readUrl?: string | undefined;
  /** Receives a sentence that says why something is slower than it could be. */
  onNotice?: ((notice: string) => void) | undefined;
  /** Whether the store may be on a network file system; otherwise it is refused there. */
  allowsNetwork?: boolean | undefined;
  /** Asked before a store is created: false refuses, since there was one, whose file is missing or empty. */
  mayCreate?: (() => Promise<boolean>) | undefined;
  /** The clock that times leases; the dialect's own by default. */
  ticks?: Ticks | undefined;
  /** Called before the schema of an existing store is changed. If it throws, nothing is changed. */
  beforeMigration?: ((copy: CopyStore) => Promise<void>) | undefined;
  /** A dialect for URLs of other schemes. */
  dialect?: StorageDialect | undefined;
}

/** The stores of one database. */
export interface Storage extends StorePorts {
  /** Copies the store while it is in use. Null for a store in memory. */
  copy: CopyStore | null;
  /** Throws if the database cannot be read or accepts no changes. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a store. Creates it if it does not exist, and migrates its schema if it is older. The caller must close it.
 * Throws {@link StoreRefusedError}.
 *
 * @example
 * const storage = await openStorage({ url: 'sqlite:/home/ann/.recollect/recollect.db' });
 * const core = createCore({ ...storage, embeddingModel });
 * await storage.close();
 */
export async function openStorage({
  url,
  readers = 2,
  cacheMb = 64,
  vectorMemoryMb = 0,
  textMemoryMb = 0,
  readUrl,
  onNotice,
  allowsNetwork = false,
  mayCreate,
  ticks,
  beforeMigration,
  dialect: chosenDialect,
}: StorageOptions): Promise<Storage> {
  const dialect = chosenDialect ?? dialectOf(url);
  const options = { readers, cacheMb, vectorMemoryMb, textMemoryMb, readUrl, onNotice, allowsNetwork, mayCreate };
  const connected = await dialect.connect(url, options);
  try {
    await actAs(EVERYONE, () => migrate(connected, dialect, beforeMigration));
  } catch (error) {
    await connected.close({ keepsFiles: error instanceof StoreRefusedError }).catch(() => {});
    throw error;
  }
  const { reader, writer, lookup } = connected;
  const clock = ticks === undefined ? dialect.sql.clock : clockOf(ticks);
  const database: Database = {
    reader,
    writer,
    lookup,
    transaction: connected.transaction ?? transactionsOf(writer),
    ...dialect.sql,
    clock,
  };
  const indexes = { text: dialect.textIndexTable, vectors: dialect.vectorIndexTable };
  const observers = createObservers(database);
  const stores = {
    memories: createMemoryStore(database, indexes, observers),
    highlights: createHighlightStore(database),
    records: createRecordStore(database, indexes),
  };
  const leases = createLeaseStore(database);
  const ports = {
    ...(connected.reserve === undefined ? stores : withReserve(stores, connected.reserve)),
    history: createHistoryStore(database),
    pictures: createPictureStore(database),
    ...connected.createSearches(database),
    changes: { ...createChangeLog(database), ...(connected.follow && { follow: connected.follow }) },
    integrity: createIntegrityStore(database, connected.checkStructure ?? (async () => [])),
    indexingJobs: createIndexingJobStore(database, leases),
    users: createUserStore(database),
    signIns: createSignInStore(database),
    auditLog: createAuditLog(database),
    apiKeys: createApiKeyStore(database),
    savedSearches: createSavedSearchStore(database),
    shares: createShareStore(database),
    tagLooks: createTagLookStore(database),
    imports: createImportStore(database),
    statistics: createStatisticsStore(database),
    sessions: createSessionStore(database),
    pairings: createPairingStore(database),
    leases,
    installations: createInstallationStore(database, observers),
    pluginJobs: createPluginJobStore(database),
    pluginState: createPluginStateStore(database),
    eventOutbox: createEventOutbox(database),
    inspector: createInspector(database, connected),
    errorLog: createErrorLog(database),
  };
  return {
    ...(connected.hasRowSecurity === true ? limitToUsers(ports) : ports),
    copy: connected.copy ?? null,
    async check() {
      const problem = connected.problem();
      if (problem !== null) throw rejectionOf(problem);
      await reader.selectFrom('memories').select('id').limit(1).execute();
    },
    close: () => connected.close(),
  };
}

async function migrate(
  connected: Connected,
  dialect: StorageDialect,
  beforeMigration: StorageOptions['beforeMigration'],
): Promise<void> {
  // Migrating takes the write lock, and a process that only reads must not wait for it.
  const { migrations } = dialect;
  const applied = await appliedMigrations(connected.reader, dialect).catch((error) => {
    const isDamaged = error instanceof RecollectError && error.code === 'STORE_DAMAGED';
    throw isDamaged ? new StoreRefusedError('damaged', { cause: error }) : error;
  });
  refuseNewer(applied, dialect);
  if (Object.keys(migrations).every((name) => applied.includes(name))) return checkTables(connected);
  if (connected.problem() !== null) throw new StoreRefusedError('damaged');
  if (applied.length > 0 && connected.copy !== undefined) await beforeMigration?.(connected.copy);
  await migrateSchema(connected.writer, dialect);
}

/** Throws {@link StoreRefusedError} if a table is missing: the disk has changed its name or definition. */
async function checkTables({ reader, problem }: Connected): Promise<void> {
  // Show the readable rest of a store that is known to be damaged.
  if (problem() !== null) return;
  const looks = tableNames.map((name) => sql`(select 1 from ${sql.table(name)} limit 0)`);
  await sql`select ${sql.join(looks)}`.execute(reader).catch((error) => {
    throw error instanceof RecollectError ? error : new StoreRefusedError('damaged', { cause: error });
  });
}

/** Describes an open store. */
function createInspector(
  { reader }: Database,
  { facts, problem }: Pick<Connected, 'facts' | 'problem'>,
): StoreInspector {
  return {
    facts,
    problem,

    async counts(userId) {
      const { memories, trash, chunks, highlights } = await readCounts(reader, userId);
      return { memories, trash, chunks, highlights };
    },
  };
}

/** The last errors of the server in a database, portable over dialects. */
function createErrorLog({ reader, transaction }: Database): ErrorLog {
  return {
    async add(errors, kept) {
      await transaction(null, async (trx) => {
        for (const { operation, code, cause, count, firstAt, lastAt, requestId, frames } of errors) {
          const latest = { last_at: lastAt, request_id: requestId, frames: JSON.stringify(frames) };
          await trx
            .insertInto('error_log')
            .values({ operation, code, cause, count, first_at: firstAt, ...latest })
            .onConflict((conflict) =>
              conflict
                .columns(['operation', 'code', 'cause'])
                .doUpdateSet(({ eb }) => ({ ...latest, count: eb('error_log.count', '+', count) })),
            )
            .execute();
        }
        const oldest = await trx
          .selectFrom('error_log')
          .select('last_at')
          .orderBy('last_at', 'desc')
          .offset(kept)
          .limit(1)
          .executeTakeFirst();
        if (oldest !== undefined) await trx.deleteFrom('error_log').where('last_at', '<=', oldest.last_at).execute();
      });
    },

    async latest(limit) {
      const rows = await reader.selectFrom('error_log').selectAll().orderBy('last_at', 'desc').limit(limit).execute();
      return rows.map(({ first_at: firstAt, last_at: lastAt, request_id: requestId, frames, ...error }) => ({
        ...error,
        firstAt,
        lastAt,
        requestId,
        frames: JSON.parse(frames) as string[],
      }));
    },
  };
}
