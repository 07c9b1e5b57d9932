import type { NewRecord } from '@recollect/core';
import { blocksOf } from '../blocks.js';
import type { UserTransaction } from '../user-transaction.js';

/** Stores those highlights of a record that the user does not have. Returns how many. */
export async function insertHighlights(
  { trx, userId }: UserTransaction,
  memoryId: string,
  { record, folded }: NewRecord,
): Promise<number> {
  const rows = record.highlights.map(({ id, quote, prefix, suffix, note, createdAt, updatedAt }, index) => ({
    user_id: userId,
    id,
    memory_id: memoryId,
    quote,
    prefix,
    suffix,
    note,
    folded: folded[index] ?? '',
    created_at: createdAt,
    updated_at: updatedAt,
  }));
  let added = 0;
  for (const block of blocksOf(rows)) {
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('highlights')
      .values(block)
      .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
      .executeTakeFirst();
    added += Number(numInsertedOrUpdatedRows);
  }
  return added;
}
