import { accessSync, closeSync, constants, existsSync, fchownSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { RecollectError } from '@recollect/core';
import Sqlite from 'better-sqlite3';
import { ownerFor } from './identify-store.js';

/** A lock that other processes see. The system releases it if the process dies. */
export interface StoreLock {
  release(): void;
}

/** Milliseconds that a process which opens the store waits for a restore that has just ended. */
const BUSY_TIMEOUT_MS = 250;

/**
 * Marks a store as open, until released. Null while it is being restored. The lock file is an empty database, which is
 * used only for SQLite's locks. A store on a medium where no lock file can be made opens without one. Throws if there
 * is one that this account cannot open: without the lock, a restore could replace the store while it is in use.
 */
export function holdStore(path: string): StoreLock | null {
  const file = prepareLockFile(path);
  if (!isAccessible(file, constants.R_OK)) {
    if (existsSync(file)) throw notAccessible(file, 'opened');
    return { release() {} };
  }
  const opened = numberOf(file);
  const database = openLockFile(file, isAccessible(file, constants.W_OK));
  if (database === null) return existsSync(file) ? { release() {} } : null;
  try {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // The shared lock lasts as long as the transaction.
    database.exec('begin');
    database.prepare('select count(*) from sqlite_master').get();
  } catch (error) {
    database.close();
    return isBusy(error) ? null : { release() {} };
  }
  // A restore that made the folder removes it again if it fails. A lock on a removed file protects nothing.
  if (numberOf(file) === opened) return { release: () => database.close() };
  database.close();
  return null;
}

/** Locks a store for its replacement. Null while any process has it open. */
export function seizeStore(path: string): StoreLock | null {
  const file = prepareLockFile(path);
  // SQLite would open the file read-only, and then takes no exclusive lock.
  const database = isAccessible(file, constants.W_OK) ? openLockFile(file, true) : null;
  if (database === null) throw notAccessible(file, 'written');
  try {
    database.pragma('busy_timeout = 0');
    database.exec('begin exclusive');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

export function lockFileOf(path: string): string {
  return `${path}-lock`;
}

/** Makes the lock file if there is none, and returns its path. */
function prepareLockFile(path: string): string {
  const file = lockFileOf(path);
  try {
    // Never opens a file that exists: closing its descriptor would release the locks of this process.
    const made = openSync(file, 'ax', 0o600);
    try {
      // A lock file that root makes could not be used by the programs of the store's owner.
      const owner = ownerFor(path);
      if (owner !== null) fchownSync(made, owner.uid, owner.gid);
    } finally {
      closeSync(made);
    }
  } catch {
    // It exists, or no file can be made here.
  }
  return file;
}

function openLockFile(file: string, isWritable: boolean): Sqlite.Database | null {
  try {
    return new Sqlite(file, { fileMustExist: true, readonly: !isWritable });
  } catch {
    return null;
  }
}

function isAccessible(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}

/** The number of a file, which a file that is made again does not have. */
function numberOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

function notAccessible(file: string, participle: string): RecollectError {
  return new RecollectError(
    'UNAVAILABLE',
    `The lock file ${basename(file)} cannot be ${participle} by this account, so nothing was changed. Use the account that owns the store, or give that account the file.`,
  );
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test((error as { code?: string }).code ?? '');
}
