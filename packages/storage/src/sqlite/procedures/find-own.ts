import type { All } from './all.js';
import type { Condition } from './condition.js';

/** So many chunks are compared one by one. */
const MAX_COMPARED_CHUNKS = 2_000;

/** Finds which chunks of an index in memory are a user's. */
export interface FindOwn {
  /** Returns the memories of the user's chunks that meet a condition. Without one, users may be compared by a hash. */
  memoriesOf(userId: string, chunks: readonly { id: number }[], within: Condition | null): Map<number, string>;
  /** The chunks of the memories that meet a condition; null if they are many. */
  findFew(userId: string, within: Condition | null): number[] | null;
}

/**
 * @param memoriesInMemory looks up the memories of a user's chunks in memory. The memory of a chunk never changes.
 *   Users are compared by a hash; a collision adds a hit that cannot be read
 */
export function createFindOwn(
  all: All,
  memoriesInMemory: (userId: string, chunkIds: readonly number[]) => Map<number, string> = () => new Map(),
): FindOwn {
  return {
    memoriesOf(userId, chunks, within) {
      if (chunks.length === 0) return new Map();
      const ids = chunks.map(({ id }) => id);
      const memories = within === null ? memoriesInMemory(userId, ids) : new Map<number, string>();
      const missing = memories.size === 0 ? ids : ids.filter((id) => !memories.has(id));
      if (missing.length === 0) return memories;
      // All at once, since starting a statement takes longer than looking up a row. The plus keeps SQLite from reading
      // all chunks of the user.
      const rows = all(
        `select c.id, c.memory_id as memoryId from json_each(?) wanted cross join chunks c on c.id = wanted.value
        where +c.user_id = ? ${within === null ? '' : `and c.memory_id in (${within.sql})`}`,
        [JSON.stringify(missing), userId, ...(within?.parameters ?? [])],
      ) as { id: number; memoryId: string }[];
      for (const { id, memoryId } of rows) memories.set(id, memoryId);
      return memories;
    },

    findFew(userId, within) {
      if (within === null) return null;
      const sql = `select id from chunks where user_id = ? and memory_id in (${within.sql}) limit ?`;
      const chunks = all(sql, [userId, ...within.parameters, MAX_COMPARED_CHUNKS + 1]) as { id: number }[];
      return chunks.length > MAX_COMPARED_CHUNKS ? null : chunks.map(({ id }) => id);
    },
  };
}
