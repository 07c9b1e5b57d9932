import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { RecollectError } from '@recollect/core';
import { SqliteError } from './sqlite-error.js';

const MEGABYTE = 1024 * 1024;
/** Bytes that a write may need: a capture of 16 MB took 37 MB in the WAL and the same in the file. */
const ROOM = 100 * MEGABYTE;
/** If SQLite only reports a failed write, a disk with less free space than this counts as full. */
const FULL = MEGABYTE;
/** Seconds. */
const RETRY_AFTER = 5;

export const DAMAGE_MESSAGE =
  'The store file is damaged, or was truncated while it was open. No changes are accepted; what can still be read is shown. Restore a backup.';

/** Error codes of a damaged file. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ)/;

export function isDamage(error: unknown): boolean {
  return error instanceof SqliteError && DAMAGE.test(error.code);
}

/**
 * Whether damage that a read found may come from a disk that failed for a moment, because a check of the whole
 * structure found none. That check covers less of full text and indexes, whose damage has other codes.
 */
export function isFailedRead(error: unknown): boolean {
  return error instanceof SqliteError && error.code === 'SQLITE_CORRUPT';
}

/** The error for such a read. */
export function failedRead(cause: unknown): RecollectError {
  return new RecollectError('UNAVAILABLE', 'The disk failed during a read. Try again in a moment.', {
    cause,
    retryAfter: RETRY_AFTER,
  });
}

/** Whether a failed write may still be stored: its pages were written, but the sync failed. */
export function isOutcomeUnknown(error: unknown, sql: string): boolean {
  if (!(error instanceof SqliteError) || !error.code.startsWith('SQLITE_IOERR')) return false;
  return sql === 'commit' || /_(?:DIR_)?FSYNC$/.test(error.code);
}

/** Translates an SQLite error into one that says what to do. Returns other errors unchanged. */
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
  if (isFull(error, path)) return fullDisk(path, error);
  if (isDamage(error)) {
    return new RecollectError('STORE_DAMAGED', DAMAGE_MESSAGE, { cause: error });
  }
  return error;
}

/** The error for a change that has no room on the disk. */
export function fullDisk(path: string, cause?: SqliteError): RecollectError {
  const free = freeBytes(path);
  const left = free === null ? '' : ` It has ${Math.floor(free / MEGABYTE)} MB left.`;
  return new RecollectError(
    'STORE_FULL',
    `The disk that holds the store is full, and nothing was changed.${left} Free at least ${ROOM / MEGABYTE} MB on it, then try again.`,
    { cause },
  );
}

/** Translates an error from opening the file. There, a busy store means that one process holds it exclusively. */
export function explainOpenFault(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteError) || isFull(error, path)) return explainFault(error, path);
  if (error.code.startsWith('SQLITE_BUSY')) {
    return new RecollectError(
      'STORE_BUSY',
      'Another process has opened the store exclusively, as Recollect does when it starts on a full disk. Wait until that process ends, or free some disk space and restart it.',
      { cause: error },
    );
  }
  if (error.code.startsWith('SQLITE_IOERR')) {
    return new RecollectError(
      'UNAVAILABLE',
      'The disk reported an error while opening the store. Check the disk, then try again.',
      { cause: error },
    );
  }
  return explainFault(error, path);
}

/** Whether an error says that the disk is full. */
export function isFull(error: unknown, path: string): boolean {
  if (!(error instanceof SqliteError)) return false;
  if (error.code === 'SQLITE_FULL') return true;
  return error.code.startsWith('SQLITE_IOERR') && lacksRoom(path);
}

/** Whether the disk of a store has no space for any change. */
export function lacksRoom(path: string): boolean {
  return (freeBytes(path) ?? FULL) < FULL;
}

function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}
