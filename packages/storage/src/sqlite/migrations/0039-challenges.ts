import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** The secrets that servers of one store share, and the challenges of sign-ins that were used. */
const statements = [
  sql`create table server_secrets (name text not null primary key, value text not null) without rowid`,
  sql`create table used_challenges (hash text not null primary key, expires_at text not null) without rowid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, {
    server_secrets: { server_secrets: '1 1' },
    used_challenges: { used_challenges: '10 1' },
  });
}
