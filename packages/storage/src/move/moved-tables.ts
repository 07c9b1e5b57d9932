import type { Tables } from '../tables.js';

/** How a table is moved: rows in the order of a unique key, some at a time, each time in a transaction. */
export interface MovedTable {
  /** Columns that identify a row, with an index in each dialect. */
  key: readonly string[];
  /** Rows that are read at a time: fewer where they are large. */
  batch: number;
}

/** A table that is made from others when they are written. */
const DERIVED = null;

const moved = (key: string, batch = 500): MovedTable => ({ key: key.split(' '), batch });

/** Each table, after those that it refers to. */
const tables: { [Table in keyof Tables]: MovedTable | typeof DERIVED } = {
  users: moved('id'),
  store_time: moved('id'),
  memories: moved('user_id id', 100),
  store_counts: DERIVED,
  memory_tags: moved('user_id key memory_id'),
  memory_history: moved('position', 100),
  former_texts: moved('position', 10),
  former_hashes: moved('user_id content_hash'),
  highlights: moved('user_id id'),
  damaged_memories: moved('user_id memory_id'),
  integrity_round: moved('id'),
  pictures: moved('user_id hash', 10),
  memory_pictures: moved('user_id memory_id'),
  site_favicons: moved('user_id site'),
  models: moved('id'),
  chunks: moved('user_id memory_id position', 256),
  words: DERIVED,
  note_links: DERIVED,
  embeddings: moved('user_id model_id chunk_id', 256),
  passage_vectors: moved('user_id model_id chunk_id', 64),
  embedded_memories: moved('user_id model_id memory_id'),
  index_changes: moved('user_id sequence'),
  indexing_jobs: moved('user_id id'),
  api_keys: moved('user_id id'),
  web_sessions: moved('user_id id'),
  pairing_codes: moved('user_id id'),
  invitations: moved('user_id id'),
  passkeys: moved('user_id id'),
  identities: moved('user_id issuer subject'),
  server_secrets: moved('name'),
  used_challenges: moved('hash'),
  audit_log: moved('position'),
  leases: moved('user_id name'),
  plugin_installations: moved('slug', 50),
  plugin_uses: moved('user_id slug'),
  plugin_schedules: moved('user_id slug job_id'),
  plugin_runs: moved('position', 100),
  plugin_events: moved('position'),
  plugin_told: moved('user_id slug'),
  plugin_state: moved('user_id slug key', 20),
  saved_searches: moved('user_id id'),
  shares: moved('user_id id'),
  shared_memories: moved('user_id memory_id owner_id share_id'),
  tag_looks: moved('user_id key'),
  imports: moved('user_id id'),
  error_log: moved('operation code cause'),
  idempotency_answers: moved('user_id key', 50),
};

/** The tables that are moved, in the order in which they are written. */
export const movedTables = Object.entries(tables).flatMap(([name, table]) =>
  table === DERIVED ? [] : [{ name: name as keyof Tables, ...table }],
);
