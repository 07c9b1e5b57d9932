import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../tables.js';

export type StoreCountsRow = Omit<Selectable<Tables['store_counts']>, 'user_id'>;

const NONE: StoreCountsRow = { memories: 0, trash: 0, chunks: 0, highlights: 0, pictures: 0, picture_bytes: 0 };

/** How much a user has saved, as the database counts with each change. */
export async function readCounts(db: Kysely<Tables>, userId: string): Promise<StoreCountsRow> {
  const row = await db
    .selectFrom('store_counts')
    .select(['memories', 'trash', 'chunks', 'highlights', 'pictures', 'picture_bytes'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? NONE;
}
