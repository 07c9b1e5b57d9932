import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { openDatabase } from '../open-database.js';

/** Pages per step: half a megabyte, which a disk takes in milliseconds. */
const PAGES_PER_STEP = 64;

/** The work was stopped. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/**
 * Copies a store that is in use to a file that exists and is empty. One read transaction spans the copy: otherwise
 * SQLite starts again whenever another process writes. Each step is synced before the next, so that no large flush
 * competes with the syncs of captures. `rest` is called after each step; the copy ends when it throws.
 */
export async function copyPages(source: string, target: string, rest: () => void): Promise<void> {
  const database = openDatabase({ path: source, readonly: true });
  // Windows syncs no file that is opened for reading only.
  const file = openSync(target, 'r+');
  try {
    database.exec('begin');
    database.prepare('select count(*) from sqlite_master').get();
    const progress = () => {
      fdatasyncSync(file);
      rest();
      return PAGES_PER_STEP;
    };
    await database.backup(target, { progress });
  } finally {
    closeSync(file);
    database.close();
  }
}
