import { type Kysely, sql } from 'kysely';

/** Conversations that were stored before have no count of turns: captured again, they become a second memory. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table memories add column turns integer`.execute(db);
}
