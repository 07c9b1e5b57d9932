import type Sqlite from 'better-sqlite3';
import { createStatements } from '../statements.js';
import type { WorkLimit } from '../work-limit.js';
import type { All } from './all.js';
import { createStoredWords, createWordProcedures, type WordProcedures } from './nearest-words.js';
import { createHybridProcedures, type HybridProcedures } from './search-both.js';
import {
  createMemorySearch,
  createPassageScores,
  failure,
  type MemorySearch,
  NOT_LOADED,
  type VectorLane,
} from './search-memory-vectors.js';

import { createStoredSearch } from './search-stored-vectors.js';
import { createTextProcedures, type TextProcedures } from './search-text.js';

import type { SearchVectors, VectorProcedures } from './vector-procedures.js';

/**
 * Work of several statements that a connection does in one turn. Each statement on its own would cost a message to the
 * connection's thread and one back, which takes longer than most statements of a search.
 */
export type Procedures = TextProcedures & VectorProcedures & HybridProcedures & WordProcedures;

/** Calls a procedure of a connection. */
export type CallProcedure = <Name extends keyof Procedures>(
  name: Name,
  ...args: Parameters<Procedures[Name]>
) => Promise<ReturnType<Procedures[Name]>>;

/**
 * @param limit checked by each statement and each loop over many rows
 * @param vectors memory that the connection searches
 */
export function createProcedures(
  database: Sqlite.Database,
  limit: WorkLimit,
  vectors: VectorLane | undefined,
): Procedures {
  const execute = createStatements(database);
  const all: All = (sql, parameters) => {
    limit.check();
    return execute(sql, parameters).rows;
  };
  const storedWords = createStoredWords(all);
  const text = createTextProcedures(all, limit, storedWords);
  const searchStored = createStoredSearch(all);
  const { searchInMemory, ...memory } =
    vectors === undefined ? WITHOUT_MEMORY : createMemorySearch(database, all, vectors);
  const searchVectors: SearchVectors = (request, sequence) =>
    sequence === null ? searchStored(request) : searchInMemory(request, sequence);
  const { searchBoth } = createHybridProcedures(text, searchVectors, createPassageScores(all));
  // One transaction reads a consistent snapshot of both indexes, and SQLite need not lock the file for each statement.
  return {
    ...text,
    ...memory,
    ...createWordProcedures(all, storedWords),
    searchVectors,
    searchBoth: database.transaction(searchBoth),
  };
}

const unavailable = () => {
  throw failure(NOT_LOADED, 'This connection has no vectors in memory.');
};
const WITHOUT_MEMORY: MemorySearch = {
  searchInMemory: unavailable,
  resetVectors: unavailable,
  loadVectors: unavailable,
};
