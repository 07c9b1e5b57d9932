import type { Connected } from '../dialect.js';
import { createHybridIndex } from './hybrid-index.js';
import type { Pool } from './pool.js';
import { createTextIndex } from './text-index.js';
import { createVectorAccess, type SearchedMemory } from './vector-access.js';
import { createVectorIndex } from './vector-index.js';

/** The searching sides of the indexes. Each search is one procedure of a connection. */
export function createSearches(pool: Pool, memory: SearchedMemory | null = null): Pick<Connected, 'createSearches'> {
  const { call } = pool;
  return {
    createSearches(database) {
      const access = createVectorAccess(database, call, memory);
      return {
        textIndex: createTextIndex(database, pool),
        vectorIndex: createVectorIndex(database, call, access),
        hybridIndex: createHybridIndex(database.reader, pool, access),
      };
    },
  };
}
