import type { Facts } from '@recollect/in-memory-index';
import type Sqlite from 'better-sqlite3';
import { factsOf, type MemoryFacts } from './labels.js';

/** A row of `embeddings`. */
interface StoredVector {
  chunkId: number;
  vector: Uint8Array;
}

/** A row of `embeddings`, with the filter values of its memory. */
export interface VectorRow extends StoredVector {
  facts: Facts;
}

/** Where the reading of all vectors has come to. */
export interface Cursor {
  userId: string;
  chunkId: number;
}

const FACTS = `c.user_id as userId, m.captured_at as capturedAt, m.source_type as sourceType, m.site, m.tags, m.client,
  m.client_name as clientName, m.client_key as clientKey, m.starred, m.is_link as isLink, m.read_state as readState,
  m.place`;
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
  /**
   * The next rows, and where they end; null after the last.
   *
   * @param known returns the filter values of chunks in memory, in order; undefined for a missing chunk. This avoids
   *   looking up the memory of each vector
   */
  readPage(
    modelId: number,
    from: Cursor,
    limit: number,
    known: (chunkIds: readonly number[]) => readonly (Facts | undefined)[],
  ): { rows: VectorRow[]; next: Cursor } | null;
  /** The vectors of given chunks. */
  readSome(modelId: number, ids: readonly number[]): { id: number; row: Uint8Array }[];
}

export function createRowReader(source: Sqlite.Database): RowReader {
  const page = source.prepare<[string, number, number, number], StoredVector>(`
    select chunk_id as chunkId, vector from embeddings
    where user_id = ? and model_id = ? and chunk_id > ? order by chunk_id limit ?`);
  const ofChunks = source.prepare<[string], MemoryFacts & { chunkId: number }>(`
    select c.id as chunkId, ${FACTS} from json_each(?) w cross join chunks c on c.id = w.value ${MEMORY}`);
  const nextUser = source.prepare<[string], string>('select min(user_id) from embeddings where user_id > ?').pluck();
  const changes = source.prepare<
    [number],
    { sequence: number; userId: string; memoryId: string; removed: string | null }
  >(`
    select sequence, user_id as userId, memory_id as memoryId, removed_vectors as removed
    from index_changes where sequence > ? order by sequence`);
  const oldest = source.prepare<[], number | null>('select min(sequence) from index_changes').pluck();
  const ofMemories = source.prepare<[string, number], MemoryFacts & StoredVector>(`
    select e.chunk_id as chunkId, e.vector, ${FACTS} from (select value ->> 0 as user_id, value ->> 1 as id from json_each(?)) w
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
      rows: ofMemories
        .all(JSON.stringify([...memories.values()]), modelId)
        .map(({ chunkId, vector, ...memory }) => ({ chunkId, vector, facts: factsOf(memory) })),
    };
  });

  const withFacts = (vectors: readonly StoredVector[], known: Parameters<RowReader['readPage']>[3]): VectorRow[] => {
    const inMemory = known(vectors.map(({ chunkId }) => chunkId));
    const missing = vectors.flatMap(({ chunkId }, at) => (inMemory[at] === undefined ? [chunkId] : []));
    const read = missing.length === 0 ? [] : ofChunks.all(JSON.stringify(missing));
    const stored = new Map(read.map(({ chunkId, ...memory }) => [chunkId, factsOf(memory)]));
    return vectors.flatMap((vector, at) => {
      const facts = inMemory[at] ?? stored.get(vector.chunkId);
      return facts === undefined ? [] : [{ ...vector, facts }];
    });
  };

  return {
    readChanges: (modelId, since) => readChanges(modelId, since),
    readPage(modelId, { userId, chunkId }, limit, known) {
      const vectors = page.all(userId, modelId, chunkId, limit);
      const last = vectors.at(-1);
      if (last !== undefined) return { rows: withFacts(vectors, known), next: { userId, chunkId: last.chunkId } };
      const next = nextUser.get(userId);
      return next == null ? null : { rows: [], next: { userId: next, chunkId: 0 } };
    },
    readSome: (modelId, ids) => some.all(modelId, JSON.stringify(ids)),
  };
}
