import { type Kysely, sql } from 'kysely';

/** The colour of a highlight. Highlights from before are yellow. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table highlights add column colour text not null default 'yellow'`.execute(db);
}
