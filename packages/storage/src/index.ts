export type {
  Connected,
  Connections,
  Database,
  SqlDialect,
  StorageDialect,
  TextIndexTable,
  TextKey,
  TextRow,
  VectorIndexTable,
  VectorKey,
  VectorRow,
  VectorSearch,
} from './dialect.js';
export { hasFilter, matchingMemories } from './memories/filter.js';
export { openStorage, type Storage, type StorageOptions } from './open-storage.js';
export { type Refusal, StoreRefusedError } from './store-refused-error.js';
export type { Tables, Trx } from './tables.js';
