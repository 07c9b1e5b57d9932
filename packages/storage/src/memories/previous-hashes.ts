import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';
import type { UserTransaction } from '../user-transaction.js';

/**
 * Notes the hash of a text that a memory had until now. Of several memories that had the same text, the last one
 * counts.
 */
export async function keepPreviousHash(
  { trx, userId }: Pick<UserTransaction, 'trx' | 'userId'>,
  memoryId: string,
  contentHash: string,
): Promise<void> {
  await trx
    .insertInto('former_hashes')
    .values({ user_id: userId, content_hash: contentHash, memory_id: memoryId })
    .onConflict((conflict) => conflict.columns(['user_id', 'content_hash']).doUpdateSet({ memory_id: memoryId }))
    .execute();
}

/** The memories that had a text until it was changed, by its hash. Hashes that a live memory has now are left out. */
export function previousOwners(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom('former_hashes')
    .innerJoin('memories', (join) =>
      join.on('memories.user_id', '=', userId).onRef('memories.id', '=', 'former_hashes.memory_id'),
    )
    .select(['former_hashes.content_hash', 'memories.id'])
    .where('former_hashes.user_id', '=', userId)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('memories as present')
            .select('present.id')
            .where('present.user_id', '=', userId)
            .where('present.deleted_at', 'is', null)
            .whereRef('present.content_hash', '=', 'former_hashes.content_hash'),
        ),
      ),
    );
}
