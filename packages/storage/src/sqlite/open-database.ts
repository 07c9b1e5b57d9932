import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { foldWord, tagKey } from '@recollect/contract/text';
import Sqlite from 'better-sqlite3';
import type { ConnectionOptions } from './messages.js';
import { applyPragmas } from './pragmas.js';
import { SqliteError, tolerateDamage } from './sqlite-error.js';

/** Files that SQLite opens for a connection: the database, its WAL, and the WAL's index. */
const FILES = 3;

/**
 * Opens an existing database with its pragmas, on the calling thread, and loads extensions. The caller must close it.
 * Throws a {@link SqliteError}. If the operating system refuses the file, its code is the system's, such as `EMFILE`,
 * because SQLite reports no cause.
 */
export function openDatabase(
  { path, readonly, isExclusive, isDamaged, cacheMb }: ConnectionOptions,
  extend: (database: Sqlite.Database) => void = () => {},
): Sqlite.Database {
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(path, { readonly, fileMustExist: path !== ':memory:' });
    if (isDamaged) tolerateDamage(database);
    if (isExclusive) database.pragma('locking_mode = exclusive');
    applyPragmas(database, cacheMb);
    database.function('utf16_length', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.length : null,
    );
    // For migrations and repairs, which read the tags and titles of memories in SQL.
    database.function('tag_key', { deterministic: true }, (tag) => (typeof tag === 'string' ? tagKey(tag) : null));
    database.function('sort_key', { deterministic: true }, (text) =>
      typeof text === 'string' ? foldWord(text) : null,
    );
    extend(database);
    return database;
  } catch (error) {
    const cause = causeOf(error, path, readonly);
    try {
      database?.close();
    } catch {
      // The reason it did not open is the error to report.
    }
    throw cause;
  }
}

/** Must be called before any file is closed, because closing one would hide that too many are open. */
function causeOf(error: unknown, path: string, readonly: boolean): SqliteError {
  const { message, code = 'ERROR' } = error as Error & { code?: string };
  const isOpened = !code.startsWith('SQLITE_CANTOPEN') && !code.startsWith('SQLITE_IOERR');
  const refusal = isOpened && !/too many open files/i.test(message) ? null : tryToOpen(path, readonly);
  return new SqliteError(refusal?.message ?? message, refusal?.code ?? code);
}

/**
 * The reason why the system opens no file at this path; null if it does. Does not open the file itself: closing a
 * descriptor of it would release the locks of this process's other connections.
 */
function tryToOpen(path: string, readonly: boolean): NodeJS.ErrnoException | null {
  const opened: number[] = [];
  try {
    accessSync(path, readonly ? constants.R_OK : constants.R_OK | constants.W_OK);
    for (let count = 0; count < FILES; count++) opened.push(openSync(devNull, 'r'));
    return null;
  } catch (refusal) {
    return refusal as NodeJS.ErrnoException;
  } finally {
    for (const file of opened) closeSync(file);
  }
}
