import { open, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CopyStore, RecollectError } from '@recollect/core';
import { runFileWork } from './run-file-work.js';

const MEGABYTE = 1024 * 1024;
/** Bytes that stay free after a backup, so that captures still have room. */
const RESERVE = 32 * MEGABYTE;

/**
 * Copies the store at a path while it is in use. The target must not exist; it is removed again if anything fails.
 *
 * @param isInPlace whether the file at the path is the store's
 */
export function createCopyStore(source: string, isInPlace = () => true): CopyStore {
  return async (target, { signal } = {}) => {
    await checkSpace(dirname(target), await bytesOf(source));
    await (await open(target, 'wx', 0o600)).close();
    const result = await runFileWork({ kind: 'copy', source, target }, signal, isInPlace);
    if (result.outcome === 'done') {
      const { bytes, sha256, memories, sequence } = result;
      return { bytes, sha256, memories, sequence };
    }
    for (const ending of ['', '-journal', '-wal', '-shm']) await rm(target + ending, { force: true });
    throw explain(result, dirname(target));
  };
}

/** Of the store and its WAL, which the copy contains. */
async function bytesOf(source: string): Promise<number> {
  const sizes = ['', '-wal'].map((ending) =>
    stat(source + ending).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Throws BACKUP_FAILED if a folder's disk has no room for that many bytes more. */
export async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + RESERVE) return;
  throw noSpace(folder, `It needs ${inMegabytes(bytes + RESERVE)}, and ${inMegabytes(bavail * bsize)} are free.`);
}

function noSpace(folder: string, detail: string): RecollectError {
  return new RecollectError(
    'BACKUP_FAILED',
    `There is not enough space for a backup in ${folder}. ${detail} Free some space, or choose a folder on another disk.`,
  );
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / MEGABYTE)} MB`;
}

type Failure = Exclude<Awaited<ReturnType<typeof runFileWork>>, { outcome: 'done' }>;

function explain(failure: Failure, folder: string): RecollectError {
  if (failure.outcome === 'stopped') return new RecollectError('UNAVAILABLE', 'The backup was stopped.');
  if (failure.outcome === 'gone')
    return new RecollectError(
      'BACKUP_FAILED',
      'The file of the store was removed, moved or replaced. Restart Recollect.',
    );
  if (failure.outcome === 'damaged' || /^SQLITE_(?:CORRUPT|NOTADB)/.test(failure.code)) {
    return new RecollectError(
      'BACKUP_FAILED',
      `The backup did not pass its check, so it was discarded: ${failure.message} The store is probably damaged. Keep the former backups.`,
    );
  }
  if (failure.code.startsWith('SQLITE_BUSY'))
    return new RecollectError(
      'BACKUP_FAILED',
      'The store is open exclusively, as Recollect opens it on a full disk, so it cannot be copied. Free some space, then restart Recollect.',
    );
  if (/FULL|ENOSPC/.test(failure.code)) return noSpace(folder, 'The disk became full during the copy.');
  return new RecollectError('BACKUP_FAILED', `The backup could not be written to ${folder}: ${failure.message}.`);
}
