import type Sqlite from 'better-sqlite3';

/** Before 3.51.3 a reset of the WAL could lose a commit when two connections met at the wrong moment. */
const OLDEST = [3, 51, 3];

/**
 * Sets what durability rests on and asserts that it holds: WAL with synchronous=FULL, so that an answered write
 * survives a power cut. The driver opens WAL files with NORMAL, which does not.
 */
export function applyPragmas(database: Sqlite.Database): void {
  const version = String(database.prepare('select sqlite_version()').pluck().get());
  if (isOlder(version))
    throw new Error(`SQLite ${version} has a bug that can lose data; ${OLDEST.join('.')} or later is needed.`);
  const inMemory = database.memory;
  // The page size only takes effect on a new file.
  if (!database.readonly) database.pragma('page_size = 8192');
  database.pragma('busy_timeout = 5000');
  if (!inMemory && !database.readonly) database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('cache_size = -65536');
  database.pragma('mmap_size = 1000000000');
  database.pragma('foreign_keys = ON');
  const expected = { journal_mode: inMemory ? 'memory' : 'wal', synchronous: 2, foreign_keys: 1 };
  for (const [name, value] of Object.entries(expected)) {
    const actual = database.pragma(name, { simple: true });
    if (actual !== value)
      throw new Error(`SQLite runs with ${name} = ${actual}, not ${value}; the store is not safe there.`);
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
