import { type Kysely, sql } from 'kysely';

/**
 * Former texts are apart from the history, whose lists stay small, and the versions of a page are counted in an index.
 */
const statements = [
  sql`create table former_texts (
    position integer primary key references memory_history (position) on delete cascade,
    text text not null
  )`,
  sql`insert into former_texts (position, text)
    select position, json_extract(former, '$.text') from memory_history
    where former is not null and json_extract(former, '$.text') is not null`,
  sql`update memory_history set former = json_remove(former, '$.text')
    where position in (select position from former_texts)`,
  sql`drop index memories_by_url`,
  // Has all that a count of versions needs, deleted_at included, which SQLite otherwise reads from the row.
  sql`create index memories_by_url on memories (user_id, url_key, capture_mode, deleted_at)
    where deleted_at is null and url_key is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
