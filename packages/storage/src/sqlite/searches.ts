import type { Connected } from '../dialect.js';
import { createHybridSearch } from './hybrid-search.js';
import { createPassageSearch } from './passage-search.js';
import type { Pool } from './pool.js';
import { createTextIndex } from './text-index.js';
import { createVectorAccess, type SearchedMemory } from './vector-access.js';
import { createVectorSearch } from './vector-search.js';

/** The searching sides of the indexes. Each search is one procedure of a connection. */
export function createSearches(pool: Pool, memory: SearchedMemory | null = null): Pick<Connected, 'createSearches'> {
  const { call } = pool;
  return {
    createSearches(database) {
      const access = createVectorAccess(database, call, memory);
      return {
        textIndex: createTextIndex(database, call),
        vectorSearch: createVectorSearch(database, call, access),
        hybridSearch: createHybridSearch(database.reader, pool, access),
        passageSearch: createPassageSearch(call, access),
      };
    },
  };
}
