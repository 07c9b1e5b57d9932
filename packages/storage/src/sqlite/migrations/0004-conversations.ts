import { type Kysely, sql } from 'kysely';

/** Conversations stored earlier have no turn count. If captured again, they become a second memory. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table memories add column turns integer`.execute(db);
}
