import type { ChangeLog } from '@recollect/core';
import type { Kysely } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { Database, SqlDialect } from '../dialect.js';
import { enqueue } from '../enqueue.js';
import type { Tables, Trx } from '../tables.js';

/** The fewest changes that are kept. An index that is further behind rebuilds, which is faster than reading them. */
const MIN_KEPT_CHANGES = 10_000;
/** Trims the log once per this many changes, because each deletion slows down the capture that it is part of. */
const TRIM_EVERY = 1_000;

/** The numbers of a user's changes. */
function numbersOf(db: Kysely<Tables>, userId: string | null, changeNumbers: SqlDialect['changeNumbers']) {
  const numbers = db.selectFrom('index_changes').select('sequence');
  return changeNumbers === 'store' || userId === null ? numbers : numbers.where('user_id', '=', userId);
}

/** A transaction that changes what indexes have of a user's memories. */
interface ChangingTransaction {
  trx: Trx;
  userId: string;
  changeNumbers: SqlDialect['changeNumbers'];
}

/**
 * Records memories in the change sequence, in the transaction that changes their index rows: changed memories, memories
 * with only new vectors, and the chunks of both whose vectors or full-text rows were removed.
 */
export async function recordChanges(
  { trx, userId, changeNumbers }: ChangingTransaction,
  changed: ReadonlySet<string>,
  embedded: ReadonlySet<string> = new Set(),
  removedChunks: ReadonlyMap<string, ReadonlySet<number>> = new Map(),
): Promise<void> {
  const rows = Array.from(new Set([...changed, ...embedded]), (id) => {
    const removed = removedChunks.get(id);
    return {
      user_id: userId,
      memory_id: id,
      is_vectors: changed.has(id) ? 0 : 1,
      removed_vectors: removed === undefined ? null : JSON.stringify([...removed]),
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
  if (!isTrimmed) return;
  const old = trx.deleteFrom('index_changes').where('sequence', '<=', last - MIN_KEPT_CHANGES);
  await (changeNumbers === 'store' ? old : old.where('user_id', '=', userId)).execute();
}

/** A number that grows with each change of any user, where each has their own numbers. */
async function sumOfNewest(db: Kysely<Tables>): Promise<number> {
  const rows = await db
    .selectFrom('index_changes')
    .select(({ fn }) => fn.max('sequence').as('newest'))
    .groupBy('user_id')
    .execute();
  return rows.reduce((sum, { newest }) => sum + newest, 0);
}

/** The change sequence in a database, portable over dialects. */
export function createChangeLog({
  reader,
  lookup,
  changeNumbers,
}: Pick<Database, 'reader' | 'lookup' | 'changeNumbers'>): ChangeLog {
  const newest = (userId: string | null) =>
    numbersOf(lookup, userId, changeNumbers).orderBy('sequence', 'desc').limit(1);
  // Compiled once, because it is asked with each search.
  const newestOfAll = newest(null).compile();

  const latest = async (userId: string | null) => {
    if (userId === null && changeNumbers === 'user') return sumOfNewest(lookup);
    const asked = changeNumbers === 'store' ? newestOfAll : newest(userId).compile();
    const { rows } = await lookup.executeQuery(asked);
    return rows[0]?.sequence ?? 0;
  };

  return {
    latest,
    async since(userId, sequence) {
      if (sequence > (await latest(userId))) return null;
      const rows = await reader
        .selectFrom('index_changes')
        .select(['sequence', 'memory_id', 'is_vectors'])
        .where('user_id', '=', userId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .execute();
      // Asked after the read, so that a trim in between is noticed.
      const oldest = numbersOf(reader, userId, changeNumbers).orderBy('sequence').limit(1);
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
