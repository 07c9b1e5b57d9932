import type Sqlite from 'better-sqlite3';
import type { MemoryFacts } from './labels.js';

/** A row of `embeddings`, with the filter values of its memory. */
export interface VectorRow extends MemoryFacts {
  chunkId: number;
  vector: Uint8Array;
}

/** Where the reading of all vectors has come to. */
export interface Cursor {
  userId: string;
  chunkId: number;
}

const COLUMNS = `e.chunk_id as chunkId, e.vector, e.user_id as userId, m.captured_at as capturedAt,
  m.source_type as sourceType, m.site, m.tags, m.client, m.client_name as clientName, m.client_key as clientKey, m.starred,
  m.is_link as isLink, m.read_state as readState, m.place`;
const MEMORY = `cross join memories m on m.user_id = c.user_id and m.id = c.memory_id`;

/** Changes since an index in memory was last updated. */
export interface StoredChanges {
  /** The number of the newest change. */
  newest: number;
  /** Chunks whose vectors were removed; some may have one again. */
  removed: number[];
  /** The current rows of the changed memories. */
  rows: VectorRow[];
}

/** Reads the vectors of models for an index in memory, on the calling thread. */
export interface RowReader {
  /** The changes after a number. Null if some of them are no longer known. */
  readChanges(modelId: number, since: number): StoredChanges | null;
  /** The next rows, and where they end; null after the last. */
  readPage(modelId: number, from: Cursor, limit: number): { rows: VectorRow[]; next: Cursor } | null;
  /** The vectors of given chunks. */
  readSome(modelId: number, ids: readonly number[]): { id: number; row: Uint8Array }[];
}

export function createRowReader(source: Sqlite.Database): RowReader {
  const page = source.prepare<[string, number, number, number], VectorRow>(`
    select ${COLUMNS} from embeddings e cross join chunks c on c.id = e.chunk_id ${MEMORY}
    where e.user_id = ? and e.model_id = ? and e.chunk_id > ? order by e.chunk_id limit ?`);
  const nextUser = source.prepare<[string], string>('select min(user_id) from embeddings where user_id > ?').pluck();
  const changes = source.prepare<
    [number],
    { sequence: number; userId: string; memoryId: string; removed: string | null }
  >(`
    select sequence, user_id as userId, memory_id as memoryId, removed_vectors as removed
    from index_changes where sequence > ? order by sequence`);
  const oldest = source.prepare<[], number | null>('select min(sequence) from index_changes').pluck();
  const ofMemories = source.prepare<[string, number], VectorRow>(`
    select ${COLUMNS} from (select value ->> 0 as user_id, value ->> 1 as id from json_each(?)) w
    cross join chunks c on c.user_id = w.user_id and c.memory_id = w.id
    cross join embeddings e on e.user_id = c.user_id and e.model_id = ? and e.chunk_id = c.id ${MEMORY}`);
  const some = source.prepare<[number, string], { id: number; row: Uint8Array }>(`
    select chunk_id as id, vector as row from embeddings
    where model_id = ? and chunk_id in (select value from json_each(?))`);

  // One transaction, so that the rows are as the newest change has left them.
  const readChanges = source.transaction((modelId: number, since: number): StoredChanges | null => {
    const listed = changes.all(since);
    const first = oldest.get() ?? null;
    const newest = listed.at(-1)?.sequence;
    if (newest === undefined || first === null || first > since + 1) return null;
    const memories = new Map(listed.map(({ userId, memoryId }) => [`${userId}\n${memoryId}`, [userId, memoryId]]));
    return {
      newest,
      removed: listed.flatMap(({ removed }) => (removed === null ? [] : (JSON.parse(removed) as number[]))),
      rows: ofMemories.all(JSON.stringify([...memories.values()]), modelId),
    };
  });

  return {
    readChanges: (modelId, since) => readChanges(modelId, since),
    readPage(modelId, { userId, chunkId }, limit) {
      const rows = page.all(userId, modelId, chunkId, limit);
      const last = rows.at(-1);
      if (last !== undefined) return { rows, next: { userId, chunkId: last.chunkId } };
      const next = nextUser.get(userId);
      return next == null ? null : { rows: [], next: { userId: next, chunkId: 0 } };
    },
    readSome: (modelId, ids) => some.all(modelId, JSON.stringify(ids)),
  };
}
