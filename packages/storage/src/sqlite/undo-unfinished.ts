import Sqlite from 'better-sqlite3';
import { sizeOf } from './identify-store.js';

/**
 * Lets SQLite undo a transaction that a crash interrupted while the store was being created, before its WAL existed.
 * Until then the header of the file belongs to that transaction: the store's id would seem to change when the file is
 * opened, as if another store had been copied over it. If the file cannot be opened, this changes nothing, and opening
 * the store then reports the cause.
 */
export async function undoUnfinished(path: string): Promise<void> {
  if ((await sizeOf(path)) === 0 || (await sizeOf(`${path}-journal`)) === 0) return;
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(path);
    // The first read applies the journal.
    database.prepare('select 1 from sqlite_master').all();
  } catch {
    // Reported when the store is opened.
  } finally {
    database?.close();
  }
}
