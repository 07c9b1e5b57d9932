import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table api_keys (
    user_id text not null,
    id text not null,
    name text,
    prefix text not null,
    hash text not null,
    scopes text not null,
    created_at text not null,
    last_used_at text,
    expires_at text,
    primary key (user_id, id)
  ) without rowid`,
  sql`create index api_keys_by_prefix on api_keys (prefix)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
