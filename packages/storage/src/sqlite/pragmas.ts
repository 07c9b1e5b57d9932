import type Sqlite from 'better-sqlite3';
import { APPLICATION_ID } from './application-id.js';

/** Before 3.51.3 a reset of the WAL could lose a commit when two connections met at the wrong moment. */
const OLDEST = [3, 51, 3];

/**
 * Sets what durability rests on and asserts that it holds: WAL with synchronous=FULL, so that an answered write
 * survives a power cut. The driver opens WAL files with NORMAL, which does not.
 *
 * Nothing is read through a memory mapping (`mmap_size` stays 0): a file that shrinks under one ends the process with a
 * bus error, and docs/performance.md has what a mapping would gain.
 */
export function applyPragmas(database: Sqlite.Database): void {
  const version = String(database.prepare('select sqlite_version()').pluck().get());
  if (isOlder(version))
    throw new Error(`SQLite ${version} has a bug that can lose data; ${OLDEST.join('.')} or later is needed.`);
  const inMemory = database.memory;
  database.pragma('busy_timeout = 5000');
  if (!inMemory && !database.readonly) {
    // The page size only takes effect on a new file, where the id has to be in the first page before there is a WAL.
    database.pragma('page_size = 8192');
    markAsOurs(database);
    database.pragma('journal_mode = WAL');
  }
  database.pragma('synchronous = FULL');
  database.pragma('cache_size = -65536');
  database.pragma('foreign_keys = ON');
  const expected = { journal_mode: inMemory ? 'memory' : 'wal', synchronous: 2, foreign_keys: 1 };
  for (const [name, value] of Object.entries(expected)) {
    const actual = database.pragma(name, { simple: true });
    if (actual !== value)
      throw new Error(`SQLite runs with ${name} = ${actual}, not ${value}; the store is not safe there.`);
  }
}

/** Stores of earlier versions have no id yet. While another process holds the write lock that can wait. */
function markAsOurs(database: Sqlite.Database): void {
  if (database.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
  try {
    database.pragma(`application_id = ${APPLICATION_ID}`);
  } catch (error) {
    if (!/^SQLITE_(?:BUSY|FULL)/.test((error as { code?: string }).code ?? '')) throw error;
  }
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of OLDEST.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
