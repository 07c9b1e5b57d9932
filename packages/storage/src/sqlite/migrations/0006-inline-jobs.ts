import { type Kysely, sql } from 'kysely';

/** A job is recorded with every capture, and removed again once the capture is embedded inline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table indexing_jobs add column is_inline integer not null default 0`.execute(db);
}
