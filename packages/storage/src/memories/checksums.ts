import type { Kysely } from 'kysely';
import type { SqlDialect } from '../dialect.js';
import type { Tables, Trx } from '../tables.js';
import { type ChecksumRow, checksumColumns, checksumOf, hasOwnText, isIntact } from './checksum.js';
import type { MemoryRow } from './row.js';

/** A memory with the content of its checksum. */
export interface ChecksumContent {
  row: ChecksumRow & Pick<MemoryRow, 'seal'>;
  text: string;
}

/** The parts of a transaction that checksums use. */
interface ChecksumTransaction {
  trx: Trx;
  userId: string;
  /** ISO 8601. */
  now: string;
  isIn: SqlDialect['isIn'];
  staleChecksums: Set<string>;
}

/**
 * Reads memories with the content of their checksums. In a transaction, both come from the same state.
 *
 * @param options.hasComments false in migrations of stores that have no comments yet
 */
export async function readChecksumContents(
  db: Kysely<Tables>,
  isIn: SqlDialect['isIn'],
  userId: string,
  ids: readonly string[],
  { hasComments = true } = {},
): Promise<ChecksumContent[]> {
  // Both are sent to the thread at once, so that they cost one way there and back.
  const [rows, chunks] = await Promise.all([
    db
      .selectFrom('memories')
      .select([...checksumColumns, 'seal'])
      .$if(hasComments, (query) => query.select('comments'))
      .where('user_id', '=', userId)
      .where(isIn('id', ids))
      .execute(),
    db
      .selectFrom('chunks')
      .select(['memory_id', 'text'])
      .where('user_id', '=', userId)
      .where(isIn('memory_id', ids))
      .orderBy('memory_id')
      .orderBy('position')
      .execute(),
  ]);
  const texts = Map.groupBy(chunks, ({ memory_id }) => memory_id);
  return rows.map((row) => ({ row, text: (texts.get(row.id) ?? []).map(({ text }) => text).join('') }));
}

/**
 * To be called before a memory is changed. Records damage, since the change would hide it, and has its checksum
 * computed again before the commit.
 */
export async function invalidateChecksum(transaction: ChecksumTransaction, id: string): Promise<void> {
  const { trx, userId, isIn, now, staleChecksums } = transaction;
  if (staleChecksums.has(id)) return;
  staleChecksums.add(id);
  for (const { row, text } of await readChecksumContents(trx, isIn, userId, [id])) {
    if (!isIntact(row, text)) await recordDamage(trx, userId, id, now);
  }
}

/** Computes the checksums of memories, except memories whose text is not their own. */
export async function writeChecksums(
  { trx, userId, isIn }: Pick<ChecksumTransaction, 'trx' | 'userId' | 'isIn'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const { row, text } of await readChecksumContents(trx, isIn, userId, ids)) {
    if (!hasOwnText(row, text)) continue;
    await trx
      .updateTable('memories')
      .set({ seal: checksumOf(row, text) })
      .where('user_id', '=', userId)
      .where('id', '=', row.id)
      .execute();
  }
}

/** Remembers that a memory did not match its checksum. */
export async function recordDamage(db: Kysely<Tables>, userId: string, id: string, now: string): Promise<void> {
  await db
    .insertInto('damaged_memories')
    .values({ user_id: userId, memory_id: id, found_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** For a memory whose text was replaced. */
export async function forgetDamage(
  { trx, userId }: Pick<ChecksumTransaction, 'trx' | 'userId'>,
  id: string,
): Promise<void> {
  await trx.deleteFrom('damaged_memories').where('user_id', '=', userId).where('memory_id', '=', id).execute();
}
