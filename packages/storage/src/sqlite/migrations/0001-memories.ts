import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table memories (
    user_id text not null,
    id text not null,
    title text not null,
    url text,
    url_key text,
    site text,
    source_type text not null,
    source_app text not null,
    capture_mode text not null,
    tags text not null,
    note text,
    metadata text not null,
    page text not null,
    content_hash text not null,
    captured_at text not null,
    last_captured_at text not null,
    updated_at text not null,
    deleted_at text,
    primary key (user_id, id)
  ) without rowid`,
  sql`create unique index memories_by_content on memories (user_id, content_hash) where deleted_at is null`,
  sql`create index memories_by_time on memories (user_id, captured_at, id) where deleted_at is null`,
  sql`create index memories_by_url on memories (user_id, url_key) where deleted_at is null and url_key is not null`,
  sql`create index memories_in_trash on memories (deleted_at) where deleted_at is not null`,
  sql`create table memory_tags (
    user_id text not null,
    tag text not null,
    memory_id text not null,
    primary key (user_id, tag, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index memory_tags_by_memory on memory_tags (user_id, memory_id)`,
  // The integer key is the chunk's row number in the full-text index. It is never reused.
  sql`create table chunks (
    id integer primary key autoincrement,
    user_id text not null,
    memory_id text not null,
    position integer not null,
    text text not null,
    unique (user_id, memory_id, position),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  )`,
  sql`create virtual table chunk_text using fts5(
    scope, title, body, notes,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  )`,
  sql`create table models (
    id integer primary key,
    name text not null unique,
    dimensions integer not null
  )`,
  // Rows of one user and model are stored together, so that a search reads them sequentially.
  sql`create table embeddings (
    user_id text not null,
    model_id integer not null references models (id),
    chunk_id integer not null references chunks (id) on delete cascade,
    vector blob not null,
    primary key (user_id, model_id, chunk_id)
  ) without rowid`,
  sql`create index embeddings_by_chunk on embeddings (chunk_id)`,
  sql`create table embedded_memories (
    user_id text not null,
    model_id integer not null references models (id),
    memory_id text not null,
    primary key (user_id, model_id, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index embedded_memories_by_memory on embedded_memories (user_id, memory_id)`,
  sql`create table indexing_jobs (
    user_id text not null,
    id text not null,
    status text not null,
    remaining_count integer not null,
    processed_count integer not null,
    model text,
    error text,
    failures integer not null,
    requests integer not null,
    due_at text,
    fence integer not null,
    lease_until text,
    created_at text not null,
    updated_at text not null,
    primary key (user_id, id)
  ) without rowid`,
  sql`create unique index indexing_jobs_open on indexing_jobs (user_id) where status <> 'completed'`,
  sql`create table idempotency_answers (
    user_id text not null,
    key text not null,
    request_hash text not null,
    answer text not null,
    created_at text not null,
    primary key (user_id, key)
  ) without rowid`,
  sql`create index idempotency_answers_by_age on idempotency_answers (created_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
