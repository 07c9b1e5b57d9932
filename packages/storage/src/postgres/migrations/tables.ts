/** The tables. Text compares by its bytes, as in SQLite, and every key begins with the user. */
export const tables = `
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
    place text collate "C" not null default 'archive',
    updated_at text collate "C" not null,
    deleted_at text collate "C",
    deleted_elapsed bigint,
    seal text collate "C",
    title_key text collate "C" not null,
    name_key text collate "C",
    chunk_count integer not null default 0,
    embedded_by integer,
    comments text collate "C",
    import_id text collate "C",
    primary key (user_id, id)
  );
  create table store_counts (
    user_id text collate "C" primary key,
    memories integer not null default 0,
    trash integer not null default 0,
    chunks integer not null default 0,
    highlights integer not null default 0,
    pictures integer not null default 0,
    picture_bytes integer not null default 0,
    text_bytes bigint not null default 0,
    inbox integer not null default 0,
    later integer not null default 0
  );
  create table memory_history (
    position bigint generated always as identity,
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    change_id text collate "C" not null,
    kind text collate "C" not null,
    actor text collate "C",
    at text collate "C" not null,
    elapsed bigint not null,
    fields text collate "C" not null,
    former text collate "C",
    primary key (user_id, position),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table former_texts (
    user_id text collate "C" not null,
    position bigint not null,
    text text collate "C" not null,
    primary key (user_id, position),
    foreign key (user_id, position) references memory_history (user_id, position) on delete cascade
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
    colour text collate "C" not null default 'yellow',
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    reviewed_at text collate "C",
    reviewed_before text collate "C",
    dismissed integer not null default 0,
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
    user_id text collate "C" not null,
    id bigint generated always as identity,
    memory_id text collate "C" not null,
    position integer not null,
    text text collate "C" not null,
    primary key (user_id, id),
    unique (user_id, memory_id, position),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table note_links (
    user_id text collate "C" not null,
    chunk_id bigint not null,
    name_key text collate "C" not null,
    memory_id text collate "C" not null,
    primary key (user_id, chunk_id, name_key),
    foreign key (user_id, chunk_id) references chunks (user_id, id) on delete cascade
  );
  create table chunk_text (
    user_id text collate "C" not null,
    chunk_id bigint not null,
    words tsvector not null,
    length integer not null,
    opening text collate "C" not null,
    primary key (user_id, chunk_id)
  );
  create table comment_text (
    user_id text collate "C" not null,
    chunk_id bigint not null,
    words tsvector not null,
    length integer not null,
    primary key (user_id, chunk_id)
  );
  create table text_counts (
    user_id text collate "C" primary key,
    rows bigint not null,
    words bigint not null
  );
  create table lexeme_counts (
    user_id text collate "C" not null,
    lexeme text collate "C" not null,
    rows bigint not null,
    primary key (user_id, lexeme)
  ) with (fillfactor = 70);
  create table lexeme_changes (
    user_id text collate "C" not null,
    id bigint generated always as identity,
    size integer not null,
    lexemes text[] collate "C" not null,
    rows integer[] not null,
    primary key (user_id, id)
  );
  create table words (
    user_id text collate "C" not null,
    word text collate "C" not null,
    id bigint generated always as identity,
    primary key (user_id, word)
  );
  create table models (
    id bigint generated always as identity primary key,
    name text collate "C" not null unique,
    dimensions integer not null
  );
  create table embeddings (
    user_id text collate "C" not null,
    model_id integer not null references models (id),
    chunk_id bigint not null,
    vector halfvec not null,
    primary key (user_id, model_id, chunk_id),
    foreign key (user_id, chunk_id) references chunks (user_id, id) on delete cascade
  );
  create table passage_vectors (
    user_id text collate "C" not null,
    model_id integer not null,
    chunk_id bigint not null,
    signs bytea not null,
    primary key (user_id, model_id, chunk_id),
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
  create table idempotency_answers (
    user_id text collate "C" not null,
    key text collate "C" not null,
    request_hash text collate "C" not null,
    answer text collate "C" not null,
    created_at text collate "C" not null,
    created_elapsed bigint not null,
    primary key (user_id, key)
  );
  create table users (
    id text collate "C" primary key,
    name text collate "C" not null,
    address text collate "C",
    address_key text collate "C" unique,
    role text collate "C" not null,
    state text collate "C" not null,
    quota_memories integer,
    quota_bytes bigint,
    quota_captures integer,
    created_at text collate "C" not null
  );
  insert into users (id, name, role, state, created_at)
    values ('local', 'Owner', 'owner', 'active', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
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
    provider_session text collate "C",
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
  create table invitations (
    user_id text collate "C" not null,
    id text collate "C" not null,
    hash text collate "C" not null unique,
    created_at text collate "C" not null,
    expires_at text collate "C" not null,
    primary key (user_id, id)
  );
  create table passkeys (
    user_id text collate "C" not null,
    id text collate "C" not null unique,
    api_key_id text collate "C" not null,
    public_key text collate "C" not null,
    counter bigint not null,
    created_at text collate "C" not null,
    primary key (user_id, id),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  );
  create table identities (
    user_id text collate "C" not null,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    api_key_id text collate "C" not null,
    created_at text collate "C" not null,
    primary key (user_id, issuer, subject),
    unique (issuer, subject),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  );
  create table server_secrets (
    name text collate "C" primary key,
    value text collate "C" not null
  );
  create table used_challenges (
    hash text collate "C" primary key,
    expires_at text collate "C" not null
  );
  create table audit_log (
    position bigint generated always as identity primary key,
    at text collate "C" not null,
    actor_id text collate "C" not null,
    operation text collate "C" not null,
    target text collate "C",
    details text collate "C" not null
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
  create table plugin_uses (
    user_id text collate "C" not null,
    slug text collate "C" not null,
    since text collate "C" not null,
    primary key (user_id, slug),
    foreign key (slug) references plugin_installations (slug) on delete cascade
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
    position bigint generated always as identity,
    user_id text collate "C" not null,
    id text collate "C" not null,
    slug text collate "C" not null references plugin_installations (slug) on delete cascade,
    job_id text collate "C" not null,
    cause text collate "C" not null,
    status text collate "C" not null,
    summary text collate "C" not null,
    details text collate "C" not null,
    started_at text collate "C" not null,
    finished_at text collate "C" not null,
    primary key (user_id, position)
  );
  create table plugin_events (
    position bigint generated always as identity,
    user_id text collate "C" not null,
    slug text collate "C" not null references plugin_installations (slug) on delete cascade,
    id text collate "C" not null,
    memory_id text collate "C" not null,
    failures integer not null,
    due_at text collate "C" not null,
    set_at text collate "C" not null,
    is_parked integer not null,
    last_error text collate "C",
    created_at text collate "C" not null,
    primary key (user_id, position)
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
  create table shares (
    user_id text collate "C" not null,
    id text collate "C" not null,
    tag text collate "C",
    tag_key text collate "C",
    search_id text collate "C",
    person_id text collate "C",
    may_add integer not null,
    shows_text integer not null,
    token text collate "C",
    hash text collate "C",
    created_at text collate "C" not null,
    primary key (user_id, id),
    foreign key (user_id, search_id) references saved_searches (user_id, id) on delete cascade
  );
  create table shared_memories (
    user_id text collate "C" not null,
    memory_id text collate "C" not null,
    owner_id text collate "C" not null,
    share_id text collate "C" not null,
    captured_at text collate "C" not null,
    added_at text collate "C" not null,
    primary key (user_id, memory_id, owner_id, share_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  );
  create table tag_looks (
    user_id text collate "C" not null,
    key text collate "C" not null,
    tag text collate "C" not null,
    icon text collate "C",
    colour text collate "C",
    primary key (user_id, key)
  );
  create table imports (
    user_id text collate "C" not null,
    id text collate "C" not null,
    at text collate "C" not null,
    name text collate "C" not null,
    programs text collate "C" not null,
    created integer,
    updated integer,
    undo_id text collate "C",
    primary key (user_id, id)
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

/** Indexes. The title's is not partial: PostgreSQL does not use the statistics of an expression in a partial index. */
export const indexes = `
  create index chunk_text_words on chunk_text using gin (words);
  create index comment_text_words on comment_text using gin (words);
  create index words_by_id on words (user_id, id);
  create unique index memories_by_content on memories (user_id, content_hash) where deleted_at is null;
  create index memories_by_time on memories (user_id, captured_at, id) where deleted_at is null;
  create index memories_starred on memories (user_id, captured_at, id) where starred = 1 and deleted_at is null;
  create index memories_in_inbox on memories (user_id, captured_at, id) where place = 'inbox' and deleted_at is null;
  create index memories_for_later on memories (user_id, captured_at, id) where place = 'later' and deleted_at is null;
  create index memories_by_import on memories (user_id, import_id, id) where import_id is not null;
  create index memories_by_url on memories (user_id, url_key, capture_mode, deleted_at);
  create index memories_by_site on memories (user_id, site, deleted_at);
  create index memories_by_title_key on memories (user_id, title_key, id);
  create index memories_by_name on memories (user_id, name_key, id) where name_key is not null;
  create index memories_by_opening on memories (user_id, coalesce(opened_at, ''), id) where deleted_at is null;
  create index memories_by_model on memories (user_id, embedded_by, id) where deleted_at is null;
  create index memories_by_length on memories (user_id, chunk_count, id) where deleted_at is null;
  create index memories_by_deletion on memories (user_id, deleted_at, id) where deleted_at is not null;
  create index memories_in_trash on memories (deleted_elapsed) where deleted_at is not null;
  create index memories_in_trash_by_content on memories (user_id, content_hash) where deleted_at is not null;
  create index memory_tags_by_memory on memory_tags (user_id, memory_id);
  create index embeddings_by_chunk on embeddings (user_id, chunk_id);
  create index embedded_memories_by_memory on embedded_memories (user_id, memory_id);
  create index note_links_by_name on note_links (user_id, name_key, memory_id);
  create index memory_history_by_position on memory_history (position);
  create index former_texts_by_position on former_texts (position);
  create index plugin_runs_by_position on plugin_runs (position);
  create index plugin_events_by_position on plugin_events (position);
  create index memory_history_by_memory on memory_history (user_id, memory_id, position);
  create index memory_history_by_change on memory_history (user_id, change_id, position);
  create index memory_history_with_values on memory_history (elapsed) where former is not null;
  create index former_hashes_by_memory on former_hashes (user_id, memory_id);
  create index highlights_by_memory on highlights (user_id, memory_id);
  create index highlights_by_time on highlights (user_id, created_at, id);
  create index highlights_by_review on highlights (user_id, dismissed, coalesce(reviewed_at, created_at), id);
  create index memory_pictures_by_hash on memory_pictures (user_id, hash);
  create index site_favicons_by_hash on site_favicons (user_id, hash);
  create index idempotency_answers_by_age on idempotency_answers (created_elapsed);
  create unique index indexing_jobs_open on indexing_jobs (user_id) where status <> 'completed';
  create index api_keys_by_prefix on api_keys (prefix);
  create index web_sessions_by_key on web_sessions (user_id, api_key_id);
  create index shares_by_person on shares (person_id, id);
  create index shares_by_hash on shares (hash) where hash is not null;
  create index shares_by_search on shares (user_id, search_id);
  create index plugin_uses_by_plugin on plugin_uses (slug);
  create index shared_memories_by_share on shared_memories (owner_id, share_id);
  create index plugin_schedules_by_plugin on plugin_schedules (slug);
  create index plugin_schedules_due on plugin_schedules (next_run_at) where is_enabled = 1;
  create index plugin_runs_by_job on plugin_runs (user_id, slug, job_id, position);
  create index plugin_runs_by_plugin on plugin_runs (slug);
  create index plugin_events_by_plugin on plugin_events (slug, user_id, is_parked, position);
  create index plugin_told_by_plugin on plugin_told (slug);
  create index plugin_state_by_plugin on plugin_state (slug)`.split(';');
