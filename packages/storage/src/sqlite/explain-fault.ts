import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { RecollectError } from '@recollect/core';
import { SqliteError } from './sqlite-error.js';

const MEGABYTE = 1024 * 1024;
/** Bytes that a write may need: a capture of 16 MB took 37 MB in the WAL, and as many again in the file. */
const ROOM = 100 * MEGABYTE;
/** A disk with less than this counts as full where SQLite reports no more than a failed write. */
const FULL = MEGABYTE;
/** Seconds. */
const RETRY_AFTER = 5;

/** Codes of a file whose content is not what SQLite wrote. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ)/;

/** Whether an error says that the file is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof SqliteError && DAMAGE.test(error.code);
}

/** Whether a write that failed so may be stored all the same: its pages were written, and a sync of them failed. */
export function isOutcomeUnknown(error: unknown, sql: string): boolean {
  if (!(error instanceof SqliteError) || !error.code.startsWith('SQLITE_IOERR')) return false;
  return sql === 'commit' || /_(?:DIR_)?FSYNC$/.test(error.code);
}

/** Translates an error of SQLite into one that says what to do. Other errors are returned unchanged. */
export function explainFault(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteError)) return error;
  const { code } = error;
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new RecollectError(
      'STORE_BUSY',
      'Another process is writing to the store and has not finished in 10 seconds. Nothing was changed. Try again in a moment.',
      { cause: error, retryAfter: RETRY_AFTER },
    );
  }
  if (isFull(error, path)) {
    const free = freeBytes(path);
    const left = free === null ? '' : ` It has ${Math.floor(free / MEGABYTE)} MB left.`;
    return new RecollectError(
      'STORE_FULL',
      `The disk that holds the store is full, and nothing was changed.${left} Free at least ${ROOM / MEGABYTE} MB on it, then try again.`,
      { cause: error },
    );
  }
  if (isDamage(error)) {
    return new RecollectError(
      'STORE_DAMAGED',
      'The file of the store is damaged, or was cut short while it was open. Stop Recollect, keep a copy of recollect.db and recollect.db-wal, and put a backup in their place.',
      { cause: error },
    );
  }
  return error;
}

/** The same for an error that occurs while the file is being opened, where a busy store means that one process holds it exclusively. */
export function explainOpenFault(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteError) || isFull(error, path)) return explainFault(error, path);
  if (error.code.startsWith('SQLITE_BUSY')) {
    return new RecollectError(
      'STORE_BUSY',
      'Another process has the store for itself, as one does that was started on a full disk. Wait until it has ended, or free some space and restart it.',
      { cause: error },
    );
  }
  if (error.code.startsWith('SQLITE_IOERR')) {
    return new RecollectError(
      'UNAVAILABLE',
      'The disk reported an error while the store was being opened. Check the disk, then try again.',
      { cause: error },
    );
  }
  return explainFault(error, path);
}

/** Whether an error says that the disk is full. */
export function isFull(error: unknown, path: string): boolean {
  if (!(error instanceof SqliteError)) return false;
  if (error.code === 'SQLITE_FULL') return true;
  return error.code.startsWith('SQLITE_IOERR') && (freeBytes(path) ?? FULL) < FULL;
}

function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}
