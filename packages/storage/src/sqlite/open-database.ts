import { closeSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { ConnectionOptions } from './messages.js';
import { applyPragmas } from './pragmas.js';
import { SqliteError } from './sqlite-error.js';

/** Files that SQLite opens for a connection: the database, its WAL, and the WAL's index. */
const FILES = 3;

/**
 * Opens a database with its pragmas, on the calling thread. Must be closed. Throws a {@link SqliteError}, whose code is the
 * system's, such as `EMFILE`, where that is why a file does not open: SQLite says no more than that it does not.
 */
export function openDatabase(
  { path, readonly, isAlone }: ConnectionOptions,
  extend: (database: Sqlite.Database) => void = () => {},
): Sqlite.Database {
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(path, { readonly });
    if (isAlone) database.pragma('locking_mode = exclusive');
    extend(database);
    applyPragmas(database);
    return database;
  } catch (error) {
    const cause = causeOf(error, path, readonly);
    database?.close();
    throw cause;
  }
}

/** Must be called before anything is closed: a file that is closed makes room for another. */
function causeOf(error: unknown, path: string, readonly: boolean): SqliteError {
  const { message, code = 'ERROR' } = error as Error & { code?: string };
  const isOpened = !code.startsWith('SQLITE_CANTOPEN') && !code.startsWith('SQLITE_IOERR');
  const refusal = isOpened && !/too many open files/i.test(message) ? null : tryToOpen(path, readonly);
  return new SqliteError(refusal?.message ?? message, refusal?.code ?? code);
}

/** Why the system opens no more files at this path; null when it does. */
function tryToOpen(path: string, readonly: boolean): NodeJS.ErrnoException | null {
  const opened: number[] = [];
  try {
    for (let count = 0; count < FILES; count++) opened.push(openSync(path, readonly ? 'r' : 'r+'));
    return null;
  } catch (refusal) {
    return refusal as NodeJS.ErrnoException;
  } finally {
    for (const file of opened) closeSync(file);
  }
}
