import Sqlite from 'better-sqlite3';

/**
 * The rows found in a damaged store. They are kept in a file, since they may not fit into memory. Invalid ids are
 * ignored.
 */
export interface FoundRows {
  addMemory(userId: string, id: string): void;
  /** Takes the place of another row with the same position. */
  addChunk(chunk: { userId: string; memoryId: string; position: number; row: number }): void;
  /** Must be called when everything was added. */
  finish(): void;
  /** The highest row number of a chunk. */
  lastChunk(): number;
  /** The memories in order, each once, including memories of which only chunks were found. */
  memories(): IterableIterator<{ userId: string; id: string }>;
  /** The rows of a memory's chunks that are known, by position. */
  chunks(userId: string, memoryId: string): { position: number; row: number }[];
  close(): void;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const SCHEMA = `
  create table memories (user_id text, id text, primary key (user_id, id)) without rowid;
  create table chunks (
    user_id text, memory_id text, position integer, row integer, primary key (user_id, memory_id, position)
  ) without rowid;
  begin`;

const FINISH = `
  insert or ignore into memories select distinct user_id, memory_id from chunks;
  commit`;

/** Creates the file, which the caller removes. Nothing of it is worth a sync. */
export function openFoundRows(path: string): FoundRows {
  const database = new Sqlite(path);
  database.pragma('journal_mode = off');
  database.pragma('synchronous = off');
  database.exec(SCHEMA);
  const addMemory = database.prepare('insert or ignore into memories values (?, ?)');
  const addChunk = database.prepare('insert or replace into chunks values (@userId, @memoryId, @position, @row)');
  const lastChunk = database.prepare('select max(row) from chunks').pluck();
  const memories = database.prepare('select user_id as userId, id from memories order by user_id, id');
  const chunks = database.prepare(
    'select position, row from chunks where user_id = ? and memory_id = ? order by position',
  );
  return {
    addMemory(userId, id) {
      if (ID.test(id)) addMemory.run(userId, id);
    },
    addChunk(chunk) {
      if (ID.test(chunk.memoryId)) addChunk.run(chunk);
    },
    finish: () => void database.exec(FINISH),
    lastChunk: () => Number(lastChunk.get() ?? 0),
    memories: () => memories.iterate() as IterableIterator<{ userId: string; id: string }>,
    chunks: (userId, memoryId) => chunks.all(userId, memoryId) as { position: number; row: number }[],
    close: () => void database.close(),
  };
}
