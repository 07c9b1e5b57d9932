import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { tolerateDamage } from '../sqlite-error.js';
import { restoreHeader } from './restore-header.js';

/** A copy of a damaged store, to read the rest of it. */
export interface Copy {
  database: Sqlite.Database;
  /** A folder for other files, which is removed with the copy. */
  folder: string;
  /** Whether there was a WAL that could not be read, so that the newest changes may be missing. */
  hasLostWal: boolean;
  remove(): Promise<void>;
}

/**
 * Copies a store with its WAL into a folder and opens the copy, so that the damaged file is never changed. If the
 * header is damaged, it is written anew; if the WAL cannot be applied even then, the copy is opened without it. Throws
 * if not even its schema can be read.
 */
export async function copyStore(path: string, folder: string): Promise<Copy> {
  const temporary = await mkdtemp(join(folder, '.copy-'));
  const target = join(temporary, basename(path));
  const copy = (ending: string) => copyFile(path + ending, target + ending, constants.COPYFILE_FICLONE);
  const remove = () => rm(temporary, { recursive: true, force: true });
  const copied = (database: Sqlite.Database, hasLostWal: boolean) => ({
    database,
    folder: temporary,
    hasLostWal,
    remove,
  });
  try {
    await copy('');
    const wal = await copy('-wal').then(
      () => 'copied' as const,
      (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? ('none' as const) : ('unreadable' as const)),
    );
    const hasWal = wal === 'copied' && (await stat(`${target}-wal`)).size > 0;
    const asItIs = tryToOpen(target);
    if (asItIs !== null) return copied(asItIs, wal === 'unreadable');
    if (hasWal) {
      await restoreHeader(target, { hasWal: true });
      const withWal = tryToOpen(target);
      if (withWal !== null) return copied(withWal, false);
    }
    for (const ending of ['-wal', '-shm']) await rm(target + ending, { recursive: true, force: true });
    await restoreHeader(target, { hasWal: false });
    return copied(open(target), hasWal || wal === 'unreadable');
  } catch (error) {
    await remove();
    throw error;
  }
}

function tryToOpen(path: string): Sqlite.Database | null {
  try {
    return open(path);
  } catch {
    return null;
  }
}

function open(path: string): Sqlite.Database {
  const database = new Sqlite(path, { readonly: true });
  try {
    tolerateDamage(database);
    // Cells outside of their page are noticed before they are read.
    database.pragma('cell_size_check = on');
    database.prepare('select name from sqlite_master').all();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
