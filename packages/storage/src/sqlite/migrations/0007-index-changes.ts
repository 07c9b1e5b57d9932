import { type Kysely, sql } from 'kysely';

/** The change sequence of the indexes. A number is never used twice, even after the log was trimmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table index_changes (
    sequence integer primary key autoincrement,
    user_id text not null,
    memory_id text not null
  )`.execute(db);
}
