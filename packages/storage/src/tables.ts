import type { CaptureMode, IndexingStatus, SourceType } from '@recollect/contract';
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
    captured_at: string;
    last_captured_at: string;
    updated_at: string;
    deleted_at: string | null;
  };
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
    /** Null: no runner takes it up by itself, as while there is no model. */
    due_at: string | null;
    fence: number;
    lease_until: string | null;
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
  idempotency_answers: { user_id: string; key: string; request_hash: string; answer: string; created_at: string };
}

/** Reads go to a pool of connections; all writes go through one, whose transactions hold the write lock from the start. */
export interface Database {
  reader: Kysely<Tables>;
  writer: Kysely<Tables>;
  /** For reads of a row or two by an index that every request waits for: a turn through another thread would cost more than they do. */
  lookup: Kysely<Tables>;
}

export type Trx = Transaction<Tables>;
