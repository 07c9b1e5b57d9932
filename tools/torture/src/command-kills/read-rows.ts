import Sqlite from 'better-sqlite3';

/** The tables that cannot be derived from others. */
const TABLES = ['memories', 'chunks', 'memory_tags', 'memory_history', 'former_texts', 'former_hashes', 'highlights'];

/** The parts of a memory that a user sees. */
export interface Content {
  title: string;
  text: string;
  tags: string;
  note: string | null;
  isDeleted: boolean;
}

/**
 * The rows of a store that nothing derives: a line per row, in the order of the tables. No other process may have it
 * open.
 */
export function readRows(file: string): string {
  return withStore(file, (database) =>
    TABLES.flatMap((table) => database.prepare(`select * from ${table} order by 1, 2`).raw().all())
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
}

/** The names of the tables of {@link readRows} that have no rows: nothing would be found out about them. */
export function findEmptyTables(file: string): string[] {
  return withStore(file, (database) =>
    TABLES.filter((table) => database.prepare(`select 1 from ${table} limit 1`).get() === undefined),
  );
}

/** The contents of a store by memory, in the order of their ids. It may be of any version. */
export function readContents(file: string): Record<string, Content> {
  return withStore(file, (database) => {
    const memories = database.prepare('select id, title, tags, note, deleted_at from memories order by id').all();
    const texts = database.prepare('select text from chunks where memory_id = ? order by position').pluck();
    return Object.fromEntries(
      (memories as { id: string; title: string; tags: string; note: string | null; deleted_at: string | null }[]).map(
        ({ id, title, tags, note, deleted_at }) => [
          id,
          { title, text: texts.all(id).join(''), tags, note, isDeleted: deleted_at !== null },
        ],
      ),
    );
  });
}

/** How many memories a store has. */
export function countMemories(file: string): number {
  return withStore(file, (database) => database.prepare('select count(*) from memories').pluck().get() as number);
}

/** The name of the newest migration that was applied to a store. */
export function newestMigration(file: string): string {
  return withStore(
    file,
    (database) => database.prepare('select max(name) from kysely_migration').pluck().get() as string,
  );
}

function withStore<T>(file: string, read: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(file, { fileMustExist: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}
