import Sqlite from 'better-sqlite3';

/** Tables that every version of a store has. */
const TABLES = ['kysely_migration', 'memories', 'chunks'];

/** What a store's file contains. */
export interface FileFacts {
  memories: number;
  /** The newest number of the change sequence; 0 if it has none. */
  sequence: number;
  /** The names of the migrations that were applied; none if it is not a store. */
  migrations: string[];
}

/** A file that was opened and did not pass the check. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/**
 * Opens a store's file that nothing else uses, makes it one file without a WAL, checks all of it and counts its memories.
 * Throws {@link DamagedFileError}.
 */
export function checkFile(path: string): FileFacts {
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(path, { fileMustExist: true });
    // Without a second process, the WAL needs no index file beside the store.
    database.pragma('locking_mode = exclusive');
    const mode = database.pragma('journal_mode = delete', { simple: true });
    if (mode !== 'delete') throw new DamagedFileError(`The file stays in the mode ${mode}.`);
    const [finding] = database.pragma('integrity_check(1)') as { integrity_check: string }[];
    if (finding?.integrity_check !== 'ok') throw new DamagedFileError(finding?.integrity_check ?? 'no result');
    const orphans = database.pragma('foreign_key_check') as unknown[];
    if (orphans.length > 0) throw new DamagedFileError('A row refers to one that is missing.');
    return readFacts(database);
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ|ERROR)/.test(code)) throw new DamagedFileError(message);
    throw error;
  } finally {
    database?.close();
  }
}

function readFacts(database: Sqlite.Database): FileFacts {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
  const read = (table: string, statement: string) =>
    tables.includes(table) ? Number(database.prepare(statement).pluck().get() ?? 0) : 0;
  return {
    memories: read('memories', 'select count(*) from memories'),
    sequence: read('index_changes', 'select max(sequence) from index_changes'),
    migrations: TABLES.every((name) => tables.includes(name))
      ? (database.prepare('select name from kysely_migration').pluck().all() as string[])
      : [],
  };
}
