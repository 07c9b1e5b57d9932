import type Sqlite from 'better-sqlite3';
import type { All } from './all.js';
import type { Condition } from './condition.js';

/** So many chunks are compared one by one. */
const MAX_COMPARED_CHUNKS = 2_000;

/** Finds which chunks of an index in memory are a user's, since its labels are hashes. */
export interface FindOwn {
  /** The memories of those chunks that are the user's and meet a condition. */
  memoriesOf(userId: string, chunks: readonly { id: number }[], within: Condition | null): Map<number, string>;
  /** The chunks of the memories that meet a condition; null if they are many. */
  findFew(userId: string, within: Condition | null): number[] | null;
}

export function createFindOwn(database: Sqlite.Database, all: All): FindOwn {
  const ownerOf = database
    .prepare<[number], [userId: string, memoryId: string]>('select user_id, memory_id from chunks where id = ?')
    .raw();

  return {
    memoriesOf(userId, chunks, within) {
      const memories = new Map<number, string>();
      for (const { id } of chunks) {
        const [owner, memoryId = ''] = ownerOf.get(id) ?? [];
        if (owner === userId) memories.set(id, memoryId);
      }
      if (within === null) return memories;
      const met = all(`select value as id from json_each(?) where value in (${within.sql})`, [
        JSON.stringify([...new Set(memories.values())]),
        ...within.parameters,
      ]) as { id: string }[];
      const ids = new Set(met.map(({ id }) => id));
      return new Map([...memories].filter(([, memoryId]) => ids.has(memoryId)));
    },

    findFew(userId, within) {
      if (within === null) return null;
      const sql = `select id from chunks where user_id = ? and memory_id in (${within.sql}) limit ?`;
      const chunks = all(sql, [userId, ...within.parameters, MAX_COMPARED_CHUNKS + 1]) as { id: number }[];
      return chunks.length > MAX_COMPARED_CHUNKS ? null : chunks.map(({ id }) => id);
    },
  };
}
