import type { StoredAnswer } from '@recollect/core';
import type { Kysely } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { readStoreTime } from '../time/store-time.js';
import type { UserTransaction } from '../user-transaction.js';

/** Finds the answer kept under an idempotency key (CAP-8). */
export async function findAnswer(db: Kysely<Tables>, userId: string, key: string): Promise<StoredAnswer | null> {
  const row = await db
    .selectFrom('idempotency_answers')
    .select(['request_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : { requestHash: row.request_hash, answer: JSON.parse(row.answer) };
}

/** Keeps the answer to a request, in the transaction of its captures. */
export async function keepAnswer(
  { trx, userId, now }: UserTransaction,
  key: string,
  { requestHash, answer }: StoredAnswer,
): Promise<void> {
  await trx
    .insertInto('idempotency_answers')
    .values({
      user_id: userId,
      key,
      request_hash: requestHash,
      answer: JSON.stringify(answer),
      created_at: now,
      created_elapsed: await readStoreTime(trx, now),
    })
    .execute();
}

/** Replaces a kept answer. */
export async function updateAnswer({ writer }: Database, userId: string, key: string, answer: unknown): Promise<void> {
  await writer
    .updateTable('idempotency_answers')
    .set({ answer: JSON.stringify(answer) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute();
}
