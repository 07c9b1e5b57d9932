import Sqlite from 'better-sqlite3';

/** Tables that every version of a store has. */
const TABLES = ['kysely_migration', 'memories', 'chunks'];

/** The content of a store's file. */
export interface FileFacts {
  memories: number;
  /** The newest number of the change sequence; 0 if it has none. */
  sequence: number;
  /** The id of the model that embedded the most memories; null if none did. */
  model: string | null;
  /** The names of the migrations that were applied; none if it is not a store. */
  migrations: string[];
}

/** A file that was opened and did not pass the check. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/**
 * Opens a store's file that nothing else uses, makes it one file without a WAL, checks all of it and counts its
 * memories. Throws {@link DamagedFileError}.
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

const MOST_USED_MODEL = `
  select name from models where id =
    (select model_id from embedded_memories group by model_id order by count(*) desc limit 1)`;

function readFacts(database: Sqlite.Database): FileFacts {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
  const read = (table: string, statement: string): unknown =>
    tables.includes(table) ? database.prepare(statement).pluck().get() : undefined;
  return {
    memories: Number(read('memories', 'select count(*) from memories') ?? 0),
    sequence: Number(read('index_changes', 'select max(sequence) from index_changes') ?? 0),
    model: (read('embedded_memories', MOST_USED_MODEL) ?? null) as string | null,
    migrations: TABLES.every((name) => tables.includes(name))
      ? (database.prepare('select name from kysely_migration').pluck().all() as string[])
      : [],
  };
}
