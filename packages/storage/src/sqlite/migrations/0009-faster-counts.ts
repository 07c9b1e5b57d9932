import { type Kysely, sql } from 'kysely';

/** Counts read no rows of memories. */
const statements = [
  // A memory in the trash has no rows of tags, so that tags are counted by themselves.
  sql`delete from memory_tags
    where (user_id, memory_id) in (select user_id, id from memories where deleted_at is not null)`,
  // Includes deleted_at, because SQLite otherwise reads it from the row, although the index has live memories only.
  sql`drop index memories_by_facts`,
  sql`create index memories_by_facts
    on memories (user_id, source_type, site, client, client_name, client_key, captured_at, deleted_at)
    where deleted_at is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
