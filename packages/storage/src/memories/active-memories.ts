import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';

/** A user's memories that are not in the trash. */
export function activeMemories(db: Kysely<Tables>, userId: string) {
  return db.selectFrom('memories').where('memories.user_id', '=', userId).where('memories.deleted_at', 'is', null);
}

/** A memory's chunks in order. */
export function chunksOf(db: Kysely<Tables>, userId: string, id: string) {
  return db
    .selectFrom('chunks')
    .select(['id', 'position', 'text'])
    .where('user_id', '=', userId)
    .where('memory_id', '=', id)
    .orderBy('position')
    .execute();
}
