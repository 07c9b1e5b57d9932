import { type Kysely, sql } from 'kysely';

/** The memories with a title, without regard to the case of ASCII letters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index memories_by_title on memories (user_id, lower(title)) where deleted_at is null`.execute(db);
}
