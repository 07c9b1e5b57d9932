import { type Kysely, sql } from 'kysely';

/** Two parts of the text index of about one size can be merged, where four were needed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into chunk_text (chunk_text, rank) values ('usermerge', 2)`.execute(db);
}
