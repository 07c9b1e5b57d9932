import type { Kysely } from 'kysely';
import type { SqlDialect } from '../dialect.js';
import type { Tables, Trx } from '../tables.js';
import type { MemoryRow } from './row.js';
import { hasOwnText, isIntact, type SealedRow, sealedColumns, sealOf } from './seal-of.js';

/** A memory with the content of its seal. */
export interface Sealed {
  row: SealedRow & Pick<MemoryRow, 'seal'>;
  text: string;
}

/** The parts of a transaction that sealing uses. */
interface Sealing {
  trx: Trx;
  userId: string;
  /** ISO 8601. */
  now: string;
  list: SqlDialect['list'];
  unsealed: Set<string>;
}

/** Reads memories with the content of their seals. In a transaction, both come from the same state. */
export async function readSealed(
  db: Kysely<Tables>,
  list: SqlDialect['list'],
  userId: string,
  ids: readonly string[],
): Promise<Sealed[]> {
  // Both are sent to the thread at once, so that they cost one way there and back.
  const [rows, chunks] = await Promise.all([
    db
      .selectFrom('memories')
      .select([...sealedColumns, 'seal'])
      .where('user_id', '=', userId)
      .where('id', 'in', list.texts(ids))
      .execute(),
    db
      .selectFrom('chunks')
      .select(['memory_id', 'text'])
      .where('user_id', '=', userId)
      .where('memory_id', 'in', list.texts(ids))
      .orderBy('memory_id')
      .orderBy('position')
      .execute(),
  ]);
  const texts = Map.groupBy(chunks, ({ memory_id }) => memory_id);
  return rows.map((row) => ({ row, text: (texts.get(row.id) ?? []).map(({ text }) => text).join('') }));
}

/**
 * To be called before a memory is changed. Records damage, since the change would hide it, and has the memory sealed
 * again before the commit.
 */
export async function unseal(transaction: Sealing, id: string): Promise<void> {
  const { trx, userId, list, now, unsealed } = transaction;
  if (unsealed.has(id)) return;
  unsealed.add(id);
  for (const { row, text } of await readSealed(trx, list, userId, [id])) {
    if (!isIntact(row, text)) await recordDamage(trx, userId, id, now);
  }
}

/** Seals the current state of memories, except memories whose text is not their own. */
export async function sealMemories(
  { trx, userId, list }: Pick<Sealing, 'trx' | 'userId' | 'list'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const { row, text } of await readSealed(trx, list, userId, ids)) {
    if (!hasOwnText(row, text)) continue;
    await trx
      .updateTable('memories')
      .set({ seal: sealOf(row, text) })
      .where('user_id', '=', userId)
      .where('id', '=', row.id)
      .execute();
  }
}

/** Remembers that a memory did not match its seal. */
export async function recordDamage(db: Kysely<Tables>, userId: string, id: string, now: string): Promise<void> {
  await db
    .insertInto('damaged_memories')
    .values({ user_id: userId, memory_id: id, found_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** For a memory whose text was replaced. */
export async function forgetDamage({ trx, userId }: Pick<Sealing, 'trx' | 'userId'>, id: string): Promise<void> {
  await trx.deleteFrom('damaged_memories').where('user_id', '=', userId).where('memory_id', '=', id).execute();
}
