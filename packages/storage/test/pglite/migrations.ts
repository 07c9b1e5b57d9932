import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The tables of all migrations so far. Text compares by its bytes, as in SQLite. */
const statements = `
  create table memories (
    user_id text collate "C" not null,
    id text collate "C" not null,
    title text collate "C" not null,
    url text collate "C",
    url_key text collate "C",
    site text collate "C",
    source_type text collate "C" not null,
    source_app text collate "C" not null,
    capture_mode text collate "C" not null,
    tags text collate "C" not null,
    note text collate "C",
    metadata text collate "C" not null,
    page text collate "C" not null,
    content_hash text collate "C" not null,
    turns integer,
    turn_starts text collate "C",
    client text collate "C",
    client_name text collate "C",
    client_key text collate "C",
    captured_at text collate "C" not null,
    last_captured_at text collate "C" not null,
    is_link integer not null default 0,
    starred integer not null default 0,
    read_state text collate "C" not null default 'unread',
    progress double precision not null default 0,
    opened_at text collate "C",
    updated_at text collate "C" not null,
    deleted_at text collate "C",
    deleted_elapsed bigint,
    seal text collate "C",
    title_key text collate "C" not null,
    name_key text collate "C",
    chunk_count integer not null default 0,
    embedded_by integer,
    comments text collate "C",
    primary key (user_id, id)
  );
  create table store_counts (
    user_id text collate "C" primary key,
    memories integer not null default 0,
    trash integer not null default 0,
    chunks integer not null default 0,
    highlights integer not null default 0,
    pictures integer not null default 0,
    picture_bytes integer not null default 0
  );
  create unique index memories_by_content on memories (user_id, content_hash) where deleted_at is null;
  create table memory_history (
    position bigint generated always as identity primary key,
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    change_id text collate "C" not null,
    kind text collate "C" not null,
    actor text collate "C",
    at text collate "C" not null,
    elapsed bigint not null,
    fields text collate "C" not null,
    former text collate "C",
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table former_texts (
    position bigint primary key references memory_history (position) on delete cascade,
    text text collate "C" not null
  );
  create table former_hashes (
    user_id text collate "C" not null,
    content_hash text collate "C" not null,
    memory_id text collate "C" not null,
    primary key (user_id, content_hash),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table highlights (
    user_id text collate "C" not null,
    id text collate "C" not null,
    memory_id text collate "C" not null,
    quote text collate "C" not null,
    prefix text collate "C" not null,
    suffix text collate "C" not null,
    note text collate "C",
    folded text collate "C" not null,
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    primary key (user_id, id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table error_log (
    operation text collate "C" not null,
    code text collate "C" not null,
    cause text collate "C" not null,
    count integer not null,
    first_at text collate "C" not null,
    last_at text collate "C" not null,
    request_id text collate "C",
    frames text collate "C" not null,
    primary key (operation, code, cause)
  );
  create table damaged_memories (
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    found_at text collate "C" not null,
    primary key (user_id, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table integrity_round (
    id integer primary key,
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    started_at text collate "C" not null,
    finished_at text collate "C"
  );
  create table store_time (id integer primary key, elapsed bigint not null, looked_at text collate "C" not null, clock_jump bigint not null);
  create table memory_tags (
    user_id text collate "C" not null,
    key text collate "C" not null,
    memory_id text collate "C" not null,
    tag text collate "C" not null,
    primary key (user_id, key, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table chunks (
    id bigint generated always as identity primary key,
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    position integer not null,
    text text collate "C" not null,
    unique (user_id, memory_id, position),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table note_links (
    chunk_id bigint not null references chunks (id) on delete cascade,
    name_key text collate "C" not null,
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    primary key (chunk_id, name_key)
  );
  create table chunk_text (
    chunk_id bigint primary key,
    user_id text collate "C" not null,
    words tsvector not null
  );
  create table words (id bigint generated always as identity primary key, word text collate "C" not null unique);
  create index chunk_text_words on chunk_text using gin (words);
  create table models (
    id integer generated always as identity primary key,
    name text collate "C" not null unique,
    dimensions integer not null
  );
  create table embeddings (
    user_id text collate "C" not null,
    model_id integer not null references models (id),
    chunk_id bigint not null references chunks (id) on delete cascade,
    vector bytea not null,
    primary key (user_id, model_id, chunk_id)
  );
  create table passage_vectors (
    user_id text collate "C" not null,
    model_id integer not null,
    chunk_id bigint not null,
    signs bytea not null,
    unique (user_id, model_id, chunk_id),
    foreign key (user_id, model_id, chunk_id) references embeddings (user_id, model_id, chunk_id) on delete cascade
  );
  create table embedded_memories (
    user_id text collate "C" not null,
    model_id integer not null references models (id),
    memory_id text collate "C" not null,
    has_passages integer not null default 0,
    primary key (user_id, model_id, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table index_changes (
    user_id text collate "C" not null,
    sequence bigint not null,
    memory_id text collate "C" not null,
    is_vectors integer not null default 0,
    removed_vectors text,
    primary key (user_id, sequence)
  );
  create table change_counters (user_id text collate "C" primary key, last bigint not null);
  create table indexing_jobs (
    user_id text collate "C" not null,
    id text collate "C" not null,
    status text collate "C" not null,
    remaining_count integer not null,
    processed_count integer not null,
    model text collate "C",
    error text collate "C",
    failures integer not null,
    requests integer not null,
    is_inline integer not null,
    due_at text collate "C",
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    primary key (user_id, id)
  );
  create unique index indexing_jobs_open on indexing_jobs (user_id) where status <> 'completed';
  create table idempotency_answers (
    user_id text collate "C" not null,
    key text collate "C" not null,
    request_hash text collate "C" not null,
    answer text collate "C" not null,
    created_at text collate "C" not null,
    created_elapsed bigint not null,
    primary key (user_id, key)
  );
  create table api_keys (
    user_id text collate "C" not null,
    id text collate "C" not null,
    name text collate "C",
    prefix text collate "C" not null,
    hash text collate "C" not null,
    scopes text collate "C" not null,
    created_at text collate "C" not null,
    last_used_at text collate "C",
    expires_at text collate "C",
    primary key (user_id, id)
  );
  create table web_sessions (
    user_id text collate "C" not null,
    id text collate "C" not null,
    api_key_id text collate "C" not null,
    hash text collate "C" not null unique,
    label text collate "C" not null,
    created_at text collate "C" not null,
    last_used_at text collate "C",
    expires_at text collate "C" not null,
    primary key (user_id, id),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  );
  create table pairing_codes (
    user_id text collate "C" not null,
    id text collate "C" not null,
    hash text collate "C" not null unique,
    expires_at text collate "C" not null,
    api_key_id text collate "C",
    primary key (user_id, id),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  );
  create table leases (
    user_id text collate "C" not null,
    name text collate "C" not null,
    fence integer not null,
    started bigint not null,
    ends bigint not null,
    primary key (user_id, name)
  );
  create table plugin_installations (
    slug text collate "C" primary key,
    source text collate "C" not null,
    manifest text collate "C" not null,
    sha256 text collate "C" not null,
    observes_captures integer not null,
    is_enabled integer not null,
    allowed text collate "C" not null,
    configuration text collate "C" not null,
    failed_starts integer not null,
    suspended_at text collate "C",
    suspended_because text collate "C",
    created_at text collate "C" not null,
    updated_at text collate "C" not null
  );
  create table plugin_schedules (
    user_id text collate "C" not null,
    slug text collate "C" not null references plugin_installations (slug) on delete cascade,
    job_id text collate "C" not null,
    is_enabled integer not null,
    interval_minutes integer not null,
    next_run_at text collate "C",
    set_at text collate "C" not null,
    primary key (user_id, slug, job_id)
  );
  create table plugin_runs (
    position bigint generated always as identity primary key,
    user_id text collate "C" not null,
    id text collate "C" not null,
    slug text collate "C" not null references plugin_installations (slug) on delete cascade,
    job_id text collate "C" not null,
    cause text collate "C" not null,
    status text collate "C" not null,
    summary text collate "C" not null,
    details text collate "C" not null,
    started_at text collate "C" not null,
    finished_at text collate "C" not null
  );
  create table plugin_events (
    position bigint generated always as identity primary key,
    user_id text collate "C" not null,
    slug text collate "C" not null references plugin_installations (slug) on delete cascade,
    id text collate "C" not null,
    memory_id text collate "C" not null,
    failures integer not null,
    due_at text collate "C" not null,
    set_at text collate "C" not null,
    is_parked integer not null,
    last_error text collate "C",
    created_at text collate "C" not null
  );
  create table saved_searches (
    user_id text collate "C" not null,
    id text collate "C" not null,
    name text collate "C" not null,
    name_key text collate "C" not null,
    query text collate "C" not null,
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    primary key (user_id, id),
    unique (user_id, name_key)
  );
  create table pictures (
    user_id text collate "C" not null,
    hash text collate "C" not null,
    type text not null,
    width integer not null,
    height integer not null,
    bytes bytea not null,
    primary key (user_id, hash)
  );
  create table memory_pictures (
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    hash text collate "C" not null,
    primary key (user_id, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade,
    foreign key (user_id, hash) references pictures (user_id, hash)
  );
  create table site_favicons (
    user_id text collate "C" not null,
    site text collate "C" not null,
    hash text collate "C" not null,
    primary key (user_id, site),
    foreign key (user_id, hash) references pictures (user_id, hash)
  );
  create table plugin_told (
    user_id text collate "C" not null,
    slug text collate "C" not null references plugin_installations (slug) on delete cascade,
    count integer not null,
    primary key (user_id, slug)
  );
  create table plugin_state (
    user_id text collate "C" not null,
    slug text collate "C" not null references plugin_installations (slug) on delete cascade,
    key text collate "C" not null,
    value text collate "C" not null,
    updated_at text collate "C" not null,
    primary key (user_id, slug, key)
  )`.split(';');

/** The triggers: after which change, and what they do. */
const triggers: readonly (readonly [name: string, change: string, body: string])[] = [
  [
    'memories_inserted',
    'insert on memories',
    `insert into store_counts (user_id, memories, trash)
      values (new.user_id, (new.deleted_at is null)::int, (new.deleted_at is not null)::int)
      on conflict (user_id) do update
      set memories = store_counts.memories + excluded.memories, trash = store_counts.trash + excluded.trash;`,
  ],
  [
    'memories_deleted',
    'delete on memories',
    `update store_counts set memories = memories - (old.deleted_at is null)::int,
      trash = trash - (old.deleted_at is not null)::int where user_id = old.user_id;`,
  ],
  [
    'memories_trashed',
    'update of deleted_at on memories',
    `update store_counts set
      memories = memories + (new.deleted_at is null)::int - (old.deleted_at is null)::int,
      trash = trash + (new.deleted_at is not null)::int - (old.deleted_at is not null)::int
      where user_id = new.user_id;`,
  ],
  [
    'chunks_inserted',
    'insert on chunks',
    `update memories set chunk_count = new.position + 1
      where user_id = new.user_id and id = new.memory_id and chunk_count <= new.position;
    update store_counts set chunks = chunks + 1 where user_id = new.user_id;`,
  ],
  [
    'chunks_deleted',
    'delete on chunks',
    `update memories set chunk_count = chunk_count - 1 where user_id = old.user_id and id = old.memory_id;
    update store_counts set chunks = chunks - 1 where user_id = old.user_id;`,
  ],
  [
    'highlights_inserted',
    'insert on highlights',
    'update store_counts set highlights = highlights + 1 where user_id = new.user_id;',
  ],
  [
    'highlights_deleted',
    'delete on highlights',
    'update store_counts set highlights = highlights - 1 where user_id = old.user_id;',
  ],
  [
    'pictures_inserted',
    'insert on pictures',
    `update store_counts set pictures = pictures + 1, picture_bytes = picture_bytes + length(new.bytes)
      where user_id = new.user_id;`,
  ],
  [
    'pictures_deleted',
    'delete on pictures',
    `update store_counts set pictures = pictures - 1, picture_bytes = picture_bytes - length(old.bytes)
      where user_id = old.user_id;`,
  ],
  [
    'embedded_memories_written',
    'insert or update on embedded_memories',
    `update memories set embedded_by = 2 * new.model_id + new.has_passages
      where user_id = new.user_id and id = new.memory_id;`,
  ],
  [
    'embedded_memories_deleted',
    'delete on embedded_memories',
    `update memories set embedded_by = (
      select max(2 * e.model_id + e.has_passages) from embedded_memories e
      where e.user_id = old.user_id and e.memory_id = old.memory_id)
      where user_id = old.user_id and id = old.memory_id;`,
  ],
];

/** Numbers a user's changes in the order of the commits: the row of the counter is locked until then. */
const numberChange = `create function number_change() returns trigger language plpgsql as $$ begin
  insert into change_counters as c (user_id, last) values (new.user_id, 1)
    on conflict (user_id) do update set last = c.last + 1 returning last into new.sequence;
  return new; end $$`;

async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await sql.raw(numberChange).execute(db);
  await sql`create trigger number_change before insert on index_changes
    for each row execute function number_change()`.execute(db);
  for (const [name, change, body] of triggers) {
    const make = `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`;
    await sql.raw(make).execute(db);
    await sql.raw(`create trigger ${name} after ${change} for each row execute function ${name}()`).execute(db);
  }
}

export const migrations: Record<string, Migration> = { '0001-everything': { up } };
