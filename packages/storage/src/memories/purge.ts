import type { MemoryStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { readUses, removeUnusedPictures } from '../pictures/picture-store.js';
import { readStoreTime, takeClockJump } from '../time/store-time.js';

/**
 * Rows per transaction: few enough that a capture waits for milliseconds only. A memory takes its chunks and index rows
 * along.
 */
const BATCH = { memories: 20, others: 500 };

/**
 * Permanently removes trash, kept answers and former values that are older than the given times. It
 * works in batches, so that no other change waits for long.
 */
export function createPurge(database: Database): MemoryStore['purge'] {
  return async ({ now, trashedFor, answeredFor, valuesFor }) => {
    const { elapsed, clockJump } = await database.transaction(null, async (trx) => ({
      elapsed: await readStoreTime(trx, now),
      clockJump: await takeClockJump(trx),
    }));
    if (clockJump > 0) return { clockJump };
    await purgeTrash(database, elapsed - trashedFor);
    await purgeAnswers(database, elapsed - answeredFor);
    await purgeValues(database, elapsed - valuesFor);
    return { clockJump };
  };
}

async function purgeTrash({ reader, transaction, isIn }: Database, before: number): Promise<void> {
  const due = await reader
    .selectFrom('memories')
    .select(['user_id', 'id'])
    .where('deleted_at', 'is not', null)
    .where('deleted_elapsed', '<', before)
    .execute();
  for (const [userId, ids] of byUser(due, ({ id }) => id))
    for (const some of batches(ids, BATCH.memories))
      await transaction(userId, async (trx) => {
        // It may have been restored, or even deleted again, since.
        const present = await trx
          .selectFrom('memories')
          .select('id')
          .where('user_id', '=', userId)
          .where(isIn('id', some))
          .where('deleted_at', 'is not', null)
          .where('deleted_elapsed', '<', before)
          .execute();
        await deleteMemories(
          { trx, userId, isIn },
          present.map(({ id }) => id),
        );
      });
}

async function purgeAnswers({ reader, writer, isIn }: Database, before: number): Promise<void> {
  const due = await reader
    .selectFrom('idempotency_answers')
    .select(['user_id', 'key'])
    .where('created_elapsed', '<', before)
    .execute();
  for (const [userId, keys] of byUser(due, ({ key }) => key))
    for (const some of batches(keys, BATCH.others))
      await writer
        .deleteFrom('idempotency_answers')
        .where('user_id', '=', userId)
        .where(isIn('key', some))
        .where('created_elapsed', '<', before)
        .execute();
}

async function purgeValues({ reader, transaction, isIn }: Database, before: number): Promise<void> {
  const due = await reader
    .selectFrom('memory_history')
    .select(['user_id', 'position'])
    .where('former', 'is not', null)
    .where('elapsed', '<', before)
    .execute();
  for (const [userId, positions] of byUser(due, ({ position }) => position))
    for (const some of batches(positions, BATCH.others))
      await transaction(userId, async (trx) => {
        await trx.deleteFrom('former_texts').where('user_id', '=', userId).where(isIn('position', some)).execute();
        await trx
          .updateTable('memory_history')
          .set({ former: null })
          .where('user_id', '=', userId)
          .where(isIn('position', some))
          .execute();
      });
}

function byUser<Row extends { user_id: string }, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Map<string, Key[]> {
  const keys = new Map<string, Key[]>();
  for (const row of rows) {
    const userKeys = keys.get(row.user_id);
    if (userKeys === undefined) keys.set(row.user_id, [keyOf(row)]);
    else userKeys.push(keyOf(row));
  }
  return keys;
}

function* batches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Deletes memories for good, with all that belongs to them, and the images that only they had. Returns how many. */
export async function deleteMemories(
  place: Parameters<typeof readUses>[0],
  memoryIds: readonly string[],
): Promise<number> {
  const { trx, userId, isIn } = place;
  const uses = await readUses(place, memoryIds);
  const { numDeletedRows } = await trx
    .deleteFrom('memories')
    .where('user_id', '=', userId)
    .where(isIn('id', memoryIds))
    .executeTakeFirst();
  await removeUnusedPictures(place, uses);
  return Number(numDeletedRows);
}
