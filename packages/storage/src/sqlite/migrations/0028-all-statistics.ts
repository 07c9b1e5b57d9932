import type { Kysely } from 'kysely';
import { addStatistics, type Statistics } from '../planner-statistics.js';

/** Statistics for one user with 100,000 memories of five chunks, as in migration 0015. */
const STATISTICS: Statistics = {
  memories: { memories_by_title: '100000 100000 2', memories_starred: '1000 1000 2 1' },
  damaged_memories: { damaged_memories: '10 10 1' },
  former_hashes: { former_hashes: '20000 20000 1', former_hashes_by_memory: '20000 20000 2' },
  former_texts: { '': '5000' },
  passage_vectors: { sqlite_autoindex_passage_vectors_1: '500000 500000 500000 1' },
  words: { sqlite_autoindex_words_1: '500000 1' },
  pictures: { sqlite_autoindex_pictures_1: '50000 50000 1' },
  memory_pictures: { memory_pictures: '50000 50000 1', memory_pictures_by_hash: '50000 50000 2' },
  site_favicons: { site_favicons: '5000 5000 1', site_favicons_by_hash: '5000 5000 2' },
  index_changes: { '': '10000' },
  idempotency_answers: { idempotency_answers: '10000 10000 1', idempotency_answers_by_age: '10000 1' },
  indexing_jobs: { indexing_jobs: '100 100 1', indexing_jobs_open: '1 1' },
  models: { sqlite_autoindex_models_1: '3 1' },
  api_keys: { api_keys: '10 10 1', api_keys_by_prefix: '10 1' },
  web_sessions: {
    web_sessions: '10 10 1',
    sqlite_autoindex_web_sessions_1: '10 1',
    web_sessions_by_key: '10 10 5',
  },
  saved_searches: { saved_searches: '20 20 1', saved_searches_by_name: '20 20 1' },
  leases: { leases: '10 10 1' },
  error_log: { error_log: '100 20 5 1' },
  plugin_installations: { plugin_installations: '10 1' },
  plugin_schedules: {
    plugin_schedules: '20 20 2 1',
    plugin_schedules_by_plugin: '20 2',
    plugin_schedules_due: '20 2',
  },
  plugin_runs: { plugin_runs_by_job: '2000 2000 200 100 1', plugin_runs_by_plugin: '2000 200' },
  plugin_events: { plugin_events_by_plugin: '10000 1000 1000 500 1' },
  plugin_told: { plugin_told: '10 10 1', plugin_told_by_plugin: '10 1' },
  plugin_state: { plugin_state: '1000 1000 100 1', plugin_state_by_plugin: '1000 100' },
};

/**
 * Gives the planner statistics of the indexes that had none. It took one of them for the best way to any of a user's
 * memories, and read all of them to find a few.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addStatistics(db, STATISTICS);
}
