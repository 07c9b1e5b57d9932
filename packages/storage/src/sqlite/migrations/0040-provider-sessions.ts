import { type Kysely, sql } from 'kysely';

/** The session at the provider of identities that a session of the web app began with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table web_sessions add column provider_session text`.execute(db);
}
