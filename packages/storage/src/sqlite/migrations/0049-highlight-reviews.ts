import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** The last decision on a highlight in the review, and an index by the time at which each was last seen. */
const statements = [
  sql`alter table highlights add column reviewed_at text`,
  sql`alter table highlights add column reviewed_before text`,
  sql`alter table highlights add column dismissed integer not null default 0`,
  sql`create index highlights_by_review on highlights (user_id, dismissed, coalesce(reviewed_at, created_at), id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, { highlights: { highlights_by_review: '10000 10000 5000 2 1' } });
}
