import { randomInt } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { APPLICATION_ID } from './identify-store.js';

/** Before 3.51.3 a race between two connections during a WAL reset could lose a commit. */
const MIN_VERSION = [3, 51, 3];

/**
 * Bytes to which a WAL is cut once its changes are in the file. While a backup reads the store it grows, and would keep
 * that size until the store is closed: under load, three times the size of the store.
 */
const WAL_LIMIT = 2 ** 26;

/**
 * Sets the pragmas that durability depends on and asserts them: WAL with synchronous=FULL, so that an acknowledged
 * write survives a power cut. The driver opens WAL files with NORMAL, which does not guarantee that.
 *
 * Memory mapping stays off (`mmap_size` is 0): if a mapped file shrinks, the process ends with a bus error.
 * docs/performance.md shows the gain of a mapping.
 */
export function applyPragmas(database: Sqlite.Database, cacheMb = 64): void {
  const version = String(database.prepare('select sqlite_version()').pluck().get());
  if (isOlder(version))
    throw new Error(`SQLite ${version} has a bug that can lose data; ${MIN_VERSION.join('.')} or later is needed.`);
  const inMemory = database.memory;
  database.pragma('busy_timeout = 5000');
  if (!inMemory && !database.readonly) {
    // The page size only affects a new file. There the id must be in the first page before a WAL exists.
    database.pragma('page_size = 8192');
    writeApplicationId(database);
    writeStoreId(database);
    database.pragma('journal_mode = WAL');
    database.pragma(`journal_size_limit = ${WAL_LIMIT}`);
  }
  database.pragma('synchronous = FULL');
  database.pragma(`cache_size = ${-1024 * cacheMb}`);
  database.pragma('foreign_keys = ON');
  // A restored store has no WAL until it is opened for writing, and is read before that.
  const journal = database.readonly ? {} : { journal_mode: inMemory ? 'memory' : 'wal' };
  const expected = { ...journal, synchronous: 2, foreign_keys: 1 };
  for (const [name, value] of Object.entries(expected)) {
    const actual = database.pragma(name, { simple: true });
    if (actual !== value)
      throw new Error(`SQLite runs with ${name} = ${actual}, not ${value}; the store is not safe there.`);
  }
}

/** Stores of earlier versions have no id yet. Setting it can wait while another process holds the write lock. */
function writeApplicationId(database: Sqlite.Database): void {
  if (database.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
  try {
    database.pragma(`application_id = ${APPLICATION_ID}`);
  } catch (error) {
    if (!/^SQLITE_(?:BUSY|FULL)/.test((error as { code?: string }).code ?? '')) throw error;
  }
}

/**
 * Gives a store a random id, by which `file-header.ts` recognises another store that is copied over its file. It never
 * changes, and backups have the same one.
 */
function writeStoreId(database: Sqlite.Database): void {
  const isSet = () => database.pragma('user_version', { simple: true }) !== 0;
  if (isSet()) return;
  try {
    database
      .transaction(() => {
        if (!isSet()) database.pragma(`user_version = ${randomInt(1, 2 ** 31)}`);
      })
      .immediate();
  } catch (error) {
    if (!/^SQLITE_(?:BUSY|FULL)/.test((error as { code?: string }).code ?? '')) throw error;
  }
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of MIN_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
