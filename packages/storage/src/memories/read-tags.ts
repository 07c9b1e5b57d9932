import type { Expression, Kysely } from 'kysely';
import type { Tables } from '../tables.js';

/** A user's tags by their keys with how many live memories have each, the most frequent first. */
export function countedTags(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom('memory_tags')
    .select(['key', ({ fn }) => fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('key')
    .orderBy('count', 'desc')
    .orderBy('key');
}

/** When the memories with these ids were saved. */
export async function readTimes(
  db: Kysely<Tables>,
  userId: string,
  ids: Expression<string>,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('memories')
    .select(['id', 'captured_at'])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, captured_at }) => [id, captured_at]));
}

/** How the first memory with each of these tags spells it, by the tag's key. */
export async function readSpellings(
  db: Kysely<Tables>,
  userId: string,
  keys: Expression<string>,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('memory_tags as present')
    .select(['present.key', 'present.tag'])
    .where('present.user_id', '=', userId)
    .where('present.key', 'in', keys)
    .where('present.memory_id', '=', ({ selectFrom }) =>
      selectFrom('memory_tags as any')
        .select(({ fn }) => fn.min('any.memory_id').as('first'))
        .where('any.user_id', '=', userId)
        .whereRef('any.key', '=', 'present.key'),
    )
    .execute();
  return new Map(rows.map(({ key, tag }) => [key, tag]));
}
