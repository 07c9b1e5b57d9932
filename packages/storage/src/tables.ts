import type {
  CaptureMode,
  ChangeKind,
  ClientKind,
  IndexingStatus,
  Place,
  ReadState,
  Role,
  RunStatus,
  SourceType,
  TagColour,
  UserState,
} from '@recollect/contract';
import type { HighlightColour } from '@recollect/contract/vocabulary';
import type { JobRun, Picture, PluginPackage } from '@recollect/core';
import type { Generated, Transaction } from 'kysely';

/** Instants are ISO 8601 text in UTC, JSON is text, and booleans are 0 or 1. Every key begins with the user. */
export interface Tables {
  memories: {
    user_id: string;
    id: string;
    title: string;
    url: string | null;
    url_key: string | null;
    site: string | null;
    source_type: SourceType;
    source_app: string;
    capture_mode: CaptureMode;
    tags: string;
    note: string | null;
    metadata: string;
    page: string;
    content_hash: string;
    /** The number of turns of a conversation; decides whether another capture continues it. */
    turns: number | null;
    /** Where each turn starts in the text: JSON. Null for other memories, and for conversations of earlier versions. */
    turn_starts: string | null;
    /** The actor that saved it: kind of client, name of the assistant or plugin, and name of the API key. */
    client: ClientKind | null;
    client_name: string | null;
    client_key: string | null;
    captured_at: string;
    last_captured_at: string;
    updated_at: string;
    deleted_at: string | null;
    /** When it was deleted, in the store's own time (time/store-time.ts). */
    deleted_elapsed: number | null;
    /** A hash over the other columns and the text (memories/checksum.ts). Null until it has been computed. */
    seal: string | null;
    /** Whether it is a link, whose page has no saved text. Not covered by the checksum. */
    is_link: Generated<number>;
    /**
     * The user's star, and how much they have read (core's Reading). Not covered by the checksum, since they change
     * while a text is read.
     */
    starred: Generated<number>;
    read_state: Generated<ReadState>;
    progress: Generated<number>;
    opened_at: string | null;
    place: Generated<Place>;
    /** The sort key of lists by title. */
    title_key: string;
    /** The key by which links of notes find a memory of a file: core's `nameKeyOf`. */
    name_key: string | null;
    /** The comments below its page: JSON. Null if there are none. */
    comments: string | null;
    /** The import that created it. Not covered by the checksum. */
    import_id: string | null;
    /** How many chunks there are. Triggers count them. */
    chunk_count: Generated<number>;
    /**
     * Of the model that has embedded all chunks last: twice its id, and 1 more with passage vectors. Triggers set it.
     */
    embedded_by: Generated<number | null>;
  };
  /** Which notes the chunks of memories link to (contract's `noteKey`). */
  note_links: { chunk_id: number; name_key: string; user_id: string; memory_id: string };
  /** How much a user has: triggers count with each change, so that nothing has to be counted. */
  store_counts: {
    user_id: string;
    memories: number;
    trash: number;
    chunks: number;
    highlights: number;
    pictures: number;
    picture_bytes: number;
    text_bytes: number;
    /** Live memories in these places. */
    inbox: number;
    later: number;
  };
  /** Memories that did not match their hash when they were read. */
  damaged_memories: { user_id: string; memory_id: string; found_at: string };
  /** One row: how far the background check of all memories has come. */
  integrity_round: {
    id: number;
    user_id: string;
    memory_id: string;
    started_at: string;
    finished_at: string | null;
  };
  /** Changes of memories after they were saved. */
  memory_history: {
    position: Generated<number>;
    user_id: string;
    memory_id: string;
    /** The same for all memories that one request changed. */
    change_id: string;
    kind: ChangeKind;
    actor: string | null;
    at: string;
    /** When it was done, in the store's own time. */
    elapsed: number;
    fields: string;
    /**
     * The values that the change replaced, except the text: JSON. Null if there are none, or once they are no longer
     * kept.
     */
    former: string | null;
  };
  /** The texts that changes replaced, by the position of the change in the history. */
  former_texts: { user_id: string; position: number; text: string };
  /** The content hashes of texts that the user has changed since, for as long as the memory exists. */
  former_hashes: { user_id: string; content_hash: string; memory_id: string };
  /** The images of memories and sites, each stored once. */
  pictures: {
    user_id: string;
    /** SHA-256 of the bytes, hexadecimal. */
    hash: string;
    type: Picture['type'];
    width: number;
    height: number;
    bytes: Uint8Array;
  };
  memory_pictures: { user_id: string; memory_id: string; hash: string };
  site_favicons: { user_id: string; site: string; hash: string };
  highlights: {
    user_id: string;
    id: string;
    memory_id: string;
    quote: string;
    prefix: string;
    suffix: string;
    note: string | null;
    colour: HighlightColour;
    /** When the user last decided on it in the review. */
    reviewed_at: string | null;
    /** The same before the day of that decision. */
    reviewed_before: string | null;
    dismissed: Generated<number>;
    /** Passage and note without case and accents, for search. */
    folded: string;
    created_at: string;
    updated_at: string;
  };
  /** `name_key` is the name without regard to case (`tagKey`). */
  saved_searches: {
    user_id: string;
    id: string;
    name: string;
    name_key: string;
    query: string;
    created_at: string;
    updated_at: string;
  };
  /**
   * A tag or a saved search that a user shares: with a person, or as a public page with a token. `hash` is the SHA-256
   * of the token.
   */
  shares: {
    user_id: string;
    id: string;
    tag: string | null;
    tag_key: string | null;
    search_id: string | null;
    person_id: string | null;
    may_add: number;
    shows_text: number;
    token: string | null;
    hash: string | null;
    created_at: string;
  };
  /** A memory of a user that they added to a share of another person, `owner_id`. */
  shared_memories: {
    user_id: string;
    memory_id: string;
    owner_id: string;
    share_id: string;
    /** Of the memory, which keeps it. */
    captured_at: string;
    added_at: string;
  };
  /** Icons and colours of tags. `key` is the tag without regard to case (`tagKey`). */
  tag_looks: { user_id: string; key: string; tag: string; icon: string | null; colour: TagColour | null };
  /** The imports. `programs` is JSON; the counts are null until an import has ended. */
  imports: {
    user_id: string;
    id: string;
    at: string;
    name: string;
    programs: string;
    created: number | null;
    updated: number | null;
    /** The change that undid it. */
    undo_id: string | null;
  };
  /** The people of the store, and how much each may keep; null for no limit. `address_key` is in lower case. */
  users: {
    id: string;
    name: string;
    address: string | null;
    address_key: string | null;
    role: Role;
    state: UserState;
    quota_memories: number | null;
    quota_bytes: number | null;
    quota_captures: number | null;
    created_at: string;
  };
  /** Links with which people make passkeys. A used one is deleted. */
  invitations: { user_id: string; id: string; hash: string; created_at: string; expires_at: string };
  passkeys: {
    user_id: string;
    id: string;
    api_key_id: string;
    public_key: string;
    counter: number;
    created_at: string;
  };
  /** The accounts of people at a provider of identities. */
  identities: { user_id: string; issuer: string; subject: string; api_key_id: string; created_at: string };
  /** Secrets that servers of one store share: global. */
  server_secrets: { name: string; value: string };
  /** Challenges of passkeys that were answered, until they expire: global. */
  used_challenges: { hash: string; expires_at: string };
  /** What operators did: global. JSON in details. */
  audit_log: {
    position: Generated<number>;
    at: string;
    actor_id: string;
    operation: string;
    target: string | null;
    details: string;
  };
  web_sessions: {
    user_id: string;
    id: string;
    api_key_id: string;
    hash: string;
    label: string;
    created_at: string;
    last_used_at: string | null;
    expires_at: string;
    /** The session at the provider of identities in which it began. */
    provider_session: string | null;
  };
  pairing_codes: {
    user_id: string;
    id: string;
    hash: string;
    expires_at: string;
    /** The key that a device got for the code. */
    api_key_id: string | null;
  };
  /** One row. */
  store_time: { id: number; elapsed: number; looked_at: string; clock_jump: number };
  /** The tags of live memories; a memory in the trash has no rows, so that counting needs no other table. */
  /** The tags of live memories. `key` is the tag without regard to case (`tagKey`). */
  memory_tags: { user_id: string; key: string; memory_id: string; tag: string };
  /** A partition of the memory's text: the chunks joined in order are the text. */
  chunks: { id: Generated<number>; user_id: string; memory_id: string; position: number; text: string };
  models: { id: Generated<number>; name: string; dimensions: number };
  /** Vectors of live chunks. The dialect's VectorIndexTable writes the rows, and only the dialect reads `vector`. */
  embeddings: { user_id: string; model_id: number; chunk_id: number; vector: Uint8Array };
  /** The signs of a chunk's token vectors, as `signsOf` in in-memory-index makes them, beside its embedding. */
  passage_vectors: { user_id: string; model_id: number; chunk_id: number; signs: Uint8Array };
  /** The memories all of whose chunks have an embedding of the model, and whether all also have passage vectors. */
  embedded_memories: { user_id: string; model_id: number; memory_id: string; has_passages: number };
  /** The different words of all texts, in lower case. Some may have gone with their texts. */
  words: { id: Generated<number>; word: string };
  /** The change sequence: which memory's index rows changed, in the order of the commits. */
  index_changes: {
    sequence: Generated<number>;
    user_id: string;
    memory_id: string;
    is_vectors: number;
    /** The chunks whose vectors or full-text rows were removed: JSON; null if none were. */
    removed_vectors: string | null;
  };
  indexing_jobs: {
    user_id: string;
    id: string;
    status: IndexingStatus;
    remaining_count: number;
    processed_count: number;
    model: string | null;
    error: string | null;
    failures: number;
    /** How often the job was queued. A batch does not complete a job that was queued again while it ran. */
    requests: number;
    /** 1 while it only covers captures that are being embedded inline, and no runner or caller knows of it. */
    is_inline: number;
    /** Null: not due at any time, for example while no model is configured. */
    due_at: string | null;
    created_at: string;
    updated_at: string;
  };
  api_keys: {
    user_id: string;
    id: string;
    name: string | null;
    prefix: string;
    hash: string;
    scopes: string;
    created_at: string;
    last_used_at: string | null;
    expires_at: string | null;
  };
  /** `started` and `ends` are milliseconds of the lease clock (SqlDialect.clock). */
  leases: { user_id: string; name: string; fence: number; started: number; ends: number };
  /** Global, by slug; JSON in manifest, allowed and configuration. */
  plugin_installations: {
    slug: string;
    source: PluginPackage['source'];
    manifest: string;
    sha256: string;
    /** A copy from the manifest, so that a capture's transaction can select by it. */
    observes_captures: number;
    is_enabled: number;
    allowed: string;
    configuration: string;
    failed_starts: number;
    suspended_at: string | null;
    suspended_because: string | null;
    created_at: string;
    updated_at: string;
  };
  /** The plugins that people besides the local user have switched on for themselves. */
  plugin_uses: { user_id: string; slug: string; since: string };
  plugin_schedules: {
    user_id: string;
    slug: string;
    job_id: string;
    is_enabled: number;
    interval_minutes: number;
    next_run_at: string | null;
    /** When next_run_at was set. In the future if the clock has been set back since. */
    set_at: string;
  };
  plugin_runs: {
    position: Generated<number>;
    user_id: string;
    id: string;
    slug: string;
    job_id: string;
    cause: JobRun['trigger'];
    status: RunStatus;
    summary: string;
    details: string;
    started_at: string;
    finished_at: string;
  };
  plugin_events: {
    position: Generated<number>;
    user_id: string;
    slug: string;
    id: string;
    memory_id: string;
    failures: number;
    due_at: string;
    set_at: string;
    is_parked: number;
    last_error: string | null;
    created_at: string;
  };
  /** How many events were delivered to a plugin. */
  plugin_told: { user_id: string; slug: string; count: number };
  plugin_state: { user_id: string; slug: string; key: string; value: string; updated_at: string };
  /** Errors of the server, for its owner: global. JSON in frames. */
  error_log: {
    operation: string;
    code: string;
    cause: string;
    count: number;
    first_at: string;
    last_at: string;
    request_id: string | null;
    frames: string;
  };
  idempotency_answers: {
    user_id: string;
    key: string;
    request_hash: string;
    answer: string;
    created_at: string;
    /** In the store's own time. */
    created_elapsed: number;
  };
}

export type Trx = Transaction<Tables>;

/** The names of all tables. */
export const tableNames = Object.keys({
  memories: true,
  note_links: true,
  store_counts: true,
  damaged_memories: true,
  integrity_round: true,
  memory_history: true,
  former_texts: true,
  former_hashes: true,
  pictures: true,
  memory_pictures: true,
  site_favicons: true,
  highlights: true,
  saved_searches: true,
  shares: true,
  shared_memories: true,
  tag_looks: true,
  imports: true,
  users: true,
  invitations: true,
  passkeys: true,
  identities: true,
  server_secrets: true,
  used_challenges: true,
  audit_log: true,
  web_sessions: true,
  pairing_codes: true,
  store_time: true,
  memory_tags: true,
  chunks: true,
  models: true,
  embeddings: true,
  passage_vectors: true,
  embedded_memories: true,
  words: true,
  index_changes: true,
  indexing_jobs: true,
  api_keys: true,
  leases: true,
  plugin_installations: true,
  plugin_uses: true,
  plugin_schedules: true,
  plugin_runs: true,
  plugin_events: true,
  plugin_told: true,
  plugin_state: true,
  error_log: true,
  idempotency_answers: true,
} satisfies Record<keyof Tables, true>) as (keyof Tables)[];
