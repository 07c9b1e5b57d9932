import Sqlite from 'better-sqlite3';

/** The damage that SQLite finds in a store; nothing if it is sound. */
export function findDamage(file: string): string[] {
  const database = new Sqlite(file, { fileMustExist: true });
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    const keys = database.pragma('foreign_key_check') as unknown[];
    return [...(integrity === 'ok' ? [] : [`damaged: ${integrity}`]), ...keys.map(() => 'a foreign key has no row')];
  } finally {
    database.close();
  }
}
