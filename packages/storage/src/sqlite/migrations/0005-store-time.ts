import { type Kysely, sql } from 'kysely';

/**
 * Time as observed by the store, for data that is deleted by age. For memories already in the trash, and answers
 * already kept, it starts now.
 */
const statements = [
  sql`create table store_time (
    id integer primary key check (id = 1),
    elapsed integer not null,
    looked_at text not null,
    clock_jump integer not null
  )`,
  sql`alter table memories add column deleted_elapsed integer`,
  sql`update memories set deleted_elapsed = 0 where deleted_at is not null`,
  sql`drop index memories_in_trash`,
  sql`create index memories_in_trash on memories (deleted_elapsed) where deleted_at is not null`,
  sql`alter table idempotency_answers add column created_elapsed integer not null default 0`,
  sql`drop index idempotency_answers_by_age`,
  sql`create index idempotency_answers_by_age on idempotency_answers (created_elapsed)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
