import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** Invitations and passkeys of people, and the log of what operators did. */
const statements = [
  sql`create table invitations (
    user_id text not null,
    id text not null,
    hash text not null unique,
    created_at text not null,
    expires_at text not null,
    primary key (user_id, id)
  ) without rowid`,
  sql`create table passkeys (
    user_id text not null,
    id text not null unique,
    api_key_id text not null,
    public_key text not null,
    counter integer not null,
    created_at text not null,
    primary key (user_id, id),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index passkeys_by_key on passkeys (user_id, api_key_id)`,
  sql`create table audit_log (
    position integer primary key,
    at text not null,
    actor_id text not null,
    operation text not null,
    target text,
    details text not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, {
    invitations: { invitations: '10 1 1', sqlite_autoindex_invitations_1: '10 1' },
    passkeys: { passkeys: '10 2 1', sqlite_autoindex_passkeys_1: '10 1', passkeys_by_key: '10 2 1' },
    audit_log: { '': '1000' },
  });
}
