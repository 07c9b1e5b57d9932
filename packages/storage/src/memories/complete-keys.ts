import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/**
 * The keys of a user's tags that contain a text: first those that begin with it, then those with a part that does. Of
 * each, the tags of the newest memories come first, since ids are in the order in which memories were saved. Goes from
 * one key to the next in the primary key, so that its time depends on the number of tags, and not of memories.
 */
export async function completeKeys(db: Kysely<Tables>, userId: string, text: string, limit: number): Promise<string[]> {
  const rank = sql`case when substr(tag_keys.key, 1, length(${text})) = ${text} then 0
    when replace(tag_keys.key, ${`/${text}`}, '') <> tag_keys.key then 1 else 2 end`;
  const { rows } = await sql<{ key: string }>`
    with recursive tag_keys (key) as (
      select min(key) from memory_tags where user_id = ${userId}
      union all
      select (select min(t.key) from memory_tags t where t.user_id = ${userId} and t.key > tag_keys.key)
        from tag_keys where tag_keys.key is not null
    )
    select tag_keys.key as key from tag_keys
    where tag_keys.key is not null and (${text} = '' or replace(tag_keys.key, ${text}, '') <> tag_keys.key)
    order by ${rank}, (select max(t.memory_id) from memory_tags t where t.user_id = ${userId} and t.key = tag_keys.key) desc
    limit ${limit}`.execute(db);
  return rows.map(({ key }) => key);
}
