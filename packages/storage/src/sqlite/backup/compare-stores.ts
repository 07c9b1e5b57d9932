import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** How the memories of a backup and of a store differ, those in the trash included. */
export interface Comparison {
  backup: number;
  store: number;
  onlyInBackup: number;
  onlyInStore: number;
}

/**
 * Compares the memories of two stores by their ids. Reads a copy of the store, since SQLite may write to a file that it
 * opens. Null if the store cannot be read.
 *
 * @param backup a store's file without a WAL, which nothing else uses
 * @param copyTo writes a copy of the store to a path
 * @param folder where the copy is made, and removed again
 */
export async function compareStores(
  backup: string,
  copyTo: (path: string) => Promise<unknown>,
  folder: string,
): Promise<Comparison | null> {
  const copies = join(folder, 'compared');
  const copy = join(copies, 'store.db');
  try {
    await mkdir(copies, { mode: 0o700 });
    await copyTo(copy);
    const database = new Sqlite(copy);
    try {
      database.prepare('attach ? as backup').run(backup);
      const count = (sql: string) => Number(database.prepare(`select count(*) from ${sql}`).pluck().get());
      const onlyIn = (first: string, second: string) =>
        count(`${first}.memories as a where not exists (
          select 1 from ${second}.memories as b where b.user_id = a.user_id and b.id = a.id)`);
      return {
        backup: count('backup.memories'),
        store: count('main.memories'),
        onlyInBackup: onlyIn('backup', 'main'),
        onlyInStore: onlyIn('main', 'backup'),
      };
    } finally {
      database.close();
    }
  } catch {
    return null;
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}
