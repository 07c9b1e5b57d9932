import { type Kysely, sql } from 'kysely';

/** How many bytes of text a user has, for quotas. Updated with each change, like the other counts. */
const statements = [
  sql`alter table store_counts add column text_bytes integer not null default 0`,
  sql`update store_counts set text_bytes = (
    select coalesce(sum(octet_length(c.text)), 0) from chunks c where c.user_id = store_counts.user_id)`,
  sql`drop trigger chunks_count_inserted`,
  sql`drop trigger chunks_count_deleted`,
  sql`create trigger chunks_count_inserted after insert on chunks begin
    update memories set chunk_count = new.position + 1
      where user_id = new.user_id and id = new.memory_id and chunk_count <= new.position;
    update store_counts set chunks = chunks + 1, text_bytes = text_bytes + octet_length(new.text)
      where user_id = new.user_id;
  end`,
  sql`create trigger chunks_count_deleted after delete on chunks begin
    update memories set chunk_count = chunk_count - 1 where user_id = old.user_id and id = old.memory_id;
    update store_counts set chunks = chunks - 1, text_bytes = text_bytes - octet_length(old.text)
      where user_id = old.user_id;
  end`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
