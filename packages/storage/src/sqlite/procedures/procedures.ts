import type Sqlite from 'better-sqlite3';
import { createStatements } from '../statements.js';
import type { TextLane } from '../texts/text-memory.js';
import type { WorkLimit } from '../work-limit.js';
import type { All } from './all.js';
import { createFindOwn } from './find-own.js';
import { createIsAlone } from './match.js';
import { createMemoryTexts, type TextMemoryProcedures } from './memory-texts.js';
import { createMemoryWords } from './memory-words.js';
import { createStoredWords, createWordProcedures, type WordProcedures } from './nearest-words.js';
import { createFoundReader } from './read-found.js';
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
export type Procedures = TextProcedures & TextMemoryProcedures & VectorProcedures & HybridProcedures & WordProcedures;

/** Calls a procedure of a connection. */
export type CallProcedure = <Name extends keyof Procedures>(
  name: Name,
  ...args: Parameters<Procedures[Name]>
) => Promise<ReturnType<Procedures[Name]>>;

/** Memory that a connection searches. */
export interface SearchedLanes {
  vectors?: VectorLane | undefined;
  texts?: TextLane | undefined;
}

/** @param limit checked by each statement and each loop over many rows */
export function createProcedures(
  database: Sqlite.Database,
  limit: WorkLimit,
  { vectors, texts }: SearchedLanes,
): Procedures {
  const execute = createStatements(database);
  const all: All = (sql, parameters) => {
    limit.check();
    return execute(sql, parameters).rows;
  };
  const storedWords = createStoredWords(all);
  const isAlone = createIsAlone(all);
  const memoryTexts = texts === undefined ? null : createMemoryTexts(database, texts);
  const own = createFindOwn(all, memoryTexts?.memoriesOf);
  const memoryWords = memoryTexts && createMemoryWords(memoryTexts, { isAlone, own });
  const text = createTextProcedures(all, limit, memoryWords, storedWords);
  const searchStored = createStoredSearch(all);
  const { searchInMemory, ...memory } =
    vectors === undefined
      ? WITHOUT_MEMORY
      : createMemorySearch(database, { own, isAlone, texts: memoryTexts }, vectors);
  const searchVectors: SearchVectors = (request, sequence) =>
    sequence === null ? searchStored(request) : searchInMemory(request, sequence);
  // Hits that were found in time are read.
  const readFound = createFoundReader((sql, parameters) => execute(sql, parameters).rows);
  const { searchBoth } = createHybridProcedures(text, searchVectors, createPassageScores(all), readFound);
  // One transaction reads a consistent snapshot of both indexes, and SQLite need not lock the file for each statement.
  return {
    ...text,
    ...(memoryTexts ?? WITHOUT_TEXTS),
    ...memory,
    ...createWordProcedures(all, storedWords),
    searchVectors,
    searchBoth: database.transaction(searchBoth),
  };
}

const unavailable = () => {
  throw failure(NOT_LOADED, 'This connection has no index in memory.');
};
const WITHOUT_TEXTS: TextMemoryProcedures = {
  resetTexts: unavailable,
  loadTexts: unavailable,
  catchUpTexts: unavailable,
  countTexts: unavailable,
  findTextFile: unavailable,
  readTextFile: unavailable,
  writeTextFile: unavailable,
};
const WITHOUT_MEMORY: MemorySearch = {
  searchInMemory: unavailable,
  resetVectors: unavailable,
  loadVectors: unavailable,
};
