import type { MemoryStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { createEmbeddingState } from '../indexing/embedding-state.js';
import type { Observers } from '../plugins/event-outbox.js';
import type { IndexTables } from '../user-transaction.js';
import { createMemoryCounts } from './memory-counts.js';
import { createMemoryReader } from './memory-reader.js';
import { createMemorySearch } from './memory-search.js';
import { createMemoryWriter } from './memory-writer.js';

/** The memories in a database, portable over dialects. */
export function createMemoryStore(database: Database, indexes: IndexTables, observers: Observers): MemoryStore {
  return {
    ...createMemoryReader(database),
    ...createMemorySearch(database),
    ...createMemoryCounts(database),
    ...createMemoryWriter(database, indexes, observers),
    ...createEmbeddingState(database),
  };
}
