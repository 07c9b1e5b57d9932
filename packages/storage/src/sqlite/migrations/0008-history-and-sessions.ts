import { type Kysely, sql } from 'kysely';

/** The actors of saves and changes, highlights, and sessions of the web app. */
const statements = [
  sql`alter table memories add column client text`,
  sql`alter table memories add column client_name text`,
  sql`alter table memories add column client_key text`,
  sql`alter table memories add column turn_starts text`,
  // Whether only vectors changed, which no list shows.
  sql`alter table index_changes add column is_vectors integer not null default 0`,
  // Covers the counts, which would otherwise read every row with its metadata.
  sql`create index memories_by_facts
    on memories (user_id, source_type, site, client, client_name, client_key, captured_at) where deleted_at is null`,
  sql`create index memories_by_deletion on memories (user_id, deleted_at, id) where deleted_at is not null`,
  sql`create table memory_history (
    position integer primary key autoincrement,
    user_id text not null,
    memory_id text not null,
    change_id text not null,
    kind text not null,
    actor text,
    at text not null,
    elapsed integer not null,
    fields text not null,
    former text,
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  )`,
  sql`create index memory_history_by_memory on memory_history (user_id, memory_id, position)`,
  sql`create index memory_history_by_change on memory_history (user_id, change_id, position)`,
  sql`create index memory_history_with_values on memory_history (elapsed) where former is not null`,
  sql`create table highlights (
    user_id text not null,
    id text not null,
    memory_id text not null,
    quote text not null,
    prefix text not null,
    suffix text not null,
    note text,
    folded text not null,
    created_at text not null,
    updated_at text not null,
    primary key (user_id, id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index highlights_by_memory on highlights (user_id, memory_id)`,
  sql`create index highlights_by_time on highlights (user_id, created_at, id)`,
  sql`create table web_sessions (
    user_id text not null,
    id text not null,
    api_key_id text not null,
    hash text not null unique,
    label text not null,
    created_at text not null,
    last_used_at text,
    expires_at text not null,
    primary key (user_id, id),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index web_sessions_by_key on web_sessions (user_id, api_key_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
