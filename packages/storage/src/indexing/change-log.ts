import type { ChangeLog } from '@recollect/core';
import { blocksOf } from '../blocks.js';
import type { Database } from '../dialect.js';
import { enqueue } from '../enqueue.js';
import type { Trx } from '../tables.js';

/** The fewest changes that are kept. An index that is further behind rebuilds, which is faster than reading them. */
const MIN_KEPT_CHANGES = 10_000;
/** Trims the log once per this many changes, because each deletion slows down the capture that it is part of. */
const TRIM_EVERY = 1_000;

/**
 * Records memories in the change sequence, in the transaction that changes their index rows: changed memories, memories
 * with only new vectors, and the chunks of both whose vectors were removed.
 */
export async function recordChanges(
  trx: Trx,
  userId: string,
  changed: ReadonlySet<string>,
  embedded: ReadonlySet<string> = new Set(),
  removedVectors: ReadonlyMap<string, readonly number[]> = new Map(),
): Promise<void> {
  const rows = Array.from(new Set([...changed, ...embedded]), (id) => {
    const removed = removedVectors.get(id);
    return {
      user_id: userId,
      memory_id: id,
      is_vectors: changed.has(id) ? 0 : 1,
      removed_vectors: removed === undefined ? null : JSON.stringify(removed),
    };
  });
  if (rows.length === 0) return;
  const blocks = [...blocksOf(rows)];
  for (const block of blocks.slice(0, -1)) await enqueue(trx, trx.insertInto('index_changes').values(block));
  const newest = await trx
    .insertInto('index_changes')
    .values(blocks.at(-1) ?? [])
    .returning('sequence')
    .execute();
  const last = Math.max(...newest.map(({ sequence }) => sequence));
  const isTrimmed = Math.floor(last / TRIM_EVERY) > Math.floor((last - rows.length) / TRIM_EVERY);
  if (isTrimmed)
    await trx
      .deleteFrom('index_changes')
      .where('sequence', '<=', last - MIN_KEPT_CHANGES)
      .execute();
}

/** The change sequence in a database, portable over dialects. */
export function createChangeLog({ reader, lookup }: Database): ChangeLog {
  const newest = lookup.selectFrom('index_changes').select('sequence').orderBy('sequence', 'desc').limit(1).compile();
  const oldest = reader.selectFrom('index_changes').select('sequence').orderBy('sequence').limit(1);

  const latest = async () => {
    const { rows } = await lookup.executeQuery(newest);
    return rows[0]?.sequence ?? 0;
  };

  return {
    latest,
    async since(userId, sequence) {
      if (sequence > (await latest())) return null;
      const rows = await reader
        .selectFrom('index_changes')
        .select(['sequence', 'memory_id', 'is_vectors'])
        .where('user_id', '=', userId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .execute();
      // Asked after the read, so that a trim in between is noticed.
      const first = await oldest.executeTakeFirst();
      if (first !== undefined && first.sequence > sequence + 1) return null;
      return rows.map((row) => ({
        sequence: row.sequence,
        memoryId: row.memory_id,
        isVectorsOnly: row.is_vectors === 1,
      }));
    },
  };
}
