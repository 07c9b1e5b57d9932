import type { CaptureMode, IndexingStatus, RunStatus, SourceType } from '@recollect/contract';
import type { JobRun, PluginPackage } from '@recollect/core';
import type { Generated, Kysely, Transaction } from 'kysely';

/** Instants are ISO 8601 text in UTC, and JSON is text. Every key begins with the user. */
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
    /** Of a conversation, so that it can be told whether another one goes on from it. */
    turns: number | null;
    captured_at: string;
    last_captured_at: string;
    updated_at: string;
    deleted_at: string | null;
    /** When it was deleted, in the store's own time (store-time.ts). */
    deleted_elapsed: number | null;
  };
  /** One row. */
  store_time: { id: number; elapsed: number; looked_at: string; clock_jump: number };
  memory_tags: { user_id: string; tag: string; memory_id: string };
  /** A partition of the memory's text: the chunks joined in order are the text. */
  chunks: { id: Generated<number>; user_id: string; memory_id: string; position: number; text: string };
  models: { id: Generated<number>; name: string; dimensions: number };
  /** int8 vectors of live chunks. */
  embeddings: { user_id: string; model_id: number; chunk_id: number; vector: Uint8Array };
  /** The memories all of whose chunks have an embedding of the model. */
  embedded_memories: { user_id: string; model_id: number; memory_id: string };
  indexing_jobs: {
    user_id: string;
    id: string;
    status: IndexingStatus;
    remaining_count: number;
    processed_count: number;
    model: string | null;
    error: string | null;
    failures: number;
    /** How often the job was queued: a batch that ends is not the end of what was queued while it ran. */
    requests: number;
    /** Whether it stands only for captures that are being embedded inline: no runner or caller knows of it. */
    is_inline: number;
    /** Null: no runner takes it up by itself, as while there is no model. */
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
  /** Instants are those of {@link Ticks}. */
  leases: { user_id: string; name: string; fence: number; started: number; ends: number };
  /** Global, by slug; JSON in manifest, allowed and configuration. */
  plugin_installations: {
    slug: string;
    source: PluginPackage['source'];
    manifest: string;
    sha256: string;
    /** What the manifest says, for the transaction of a capture. */
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
  plugin_schedules: {
    user_id: string;
    slug: string;
    job_id: string;
    is_enabled: number;
    interval_minutes: number;
    next_run_at: string | null;
    /** When next_run_at was set; in the future, once the clock has been put back. */
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
  /** How many events a plugin was told without a failure. */
  plugin_told: { user_id: string; slug: string; count: number };
  plugin_state: { user_id: string; slug: string; key: string; value: string; updated_at: string };
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

/** Reads go to a pool of connections; all writes go through one, whose transactions hold the write lock from the start. */
export interface Database {
  reader: Kysely<Tables>;
  writer: Kysely<Tables>;
  /** For reads of a row or two by an index that every request waits for: a turn through another thread would cost more than they do. */
  lookup: Kysely<Tables>;
}

export type Trx = Transaction<Tables>;
