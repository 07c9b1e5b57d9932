import { type Kysely, sql } from 'kysely';

/** The chunks whose vectors a change removed, for indexes in memory. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table index_changes add column removed_vectors text`.execute(db);
}
