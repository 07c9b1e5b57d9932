import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** The people of the store. The local user owns what is in it already. */
const statements = [
  sql`create table users (
    id text primary key,
    name text not null,
    address text,
    address_key text unique,
    role text not null,
    state text not null,
    quota_memories integer,
    quota_bytes integer,
    quota_captures integer,
    created_at text not null
  ) without rowid`,
  sql`insert into users (id, name, role, state, created_at)
    values ('local', 'Owner', 'owner', 'active', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, { users: { users: '10 1', sqlite_autoindex_users_2: '10 1' } });
}
