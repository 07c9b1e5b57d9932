import { type Kysely, sql } from 'kysely';

/** Queries that the user keeps under a name. */
const statements = [
  sql`create table saved_searches (
    user_id text not null,
    id text not null,
    name text not null,
    name_key text not null,
    query text not null,
    created_at text not null,
    updated_at text not null,
    primary key (user_id, id)
  ) without rowid`,
  sql`create unique index saved_searches_by_name on saved_searches (user_id, name_key)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
