import type { ChangeMark } from '@recollect/core';
import type { Database, TextIndexTable, VectorIndexTable } from './dialect.js';
import { recordChanges } from './indexing/change-log.js';
import { sealMemories } from './memories/seals.js';
import type { Trx } from './tables.js';

/** The writing sides of both indexes. */
export interface IndexTables {
  text: TextIndexTable;
  vectors: VectorIndexTable;
}

/** A transaction that changes one user's memories, with the dependencies of its steps. */
export interface UserTransaction {
  trx: Trx;
  userId: string;
  /** ISO 8601. */
  now: string;
  list: Database['list'];
  clock: Database['clock'];
  indexes: IndexTables;
  /** The memories whose index rows have changed. They are recorded in the change sequence before the commit. */
  changed: Set<string>;
  /** The memories of which only vectors have changed. */
  embedded: Set<string>;
  /** The chunks whose vectors were removed, by memory. */
  removedVectors: Map<string, number[]>;
  /** The memories that have changed and are sealed again before the commit. */
  unsealed: Set<string>;
  /** How the changes are entered in the history. Null if they are not. */
  mark: ChangeMark | null;
}

export type RunTransaction = <T>(
  userId: string,
  now: string,
  work: (transaction: UserTransaction) => Promise<T>,
  mark?: ChangeMark | undefined,
) => Promise<T>;

/** Makes the function that all changes of memories run in, so that none is missing from the change sequence. */
export function createRunTransaction({ writer, list, clock }: Database, indexes: IndexTables): RunTransaction {
  return (userId, now, work, mark) =>
    writer.transaction().execute(async (trx) => {
      const changed = new Set<string>();
      const embedded = new Set<string>();
      const removedVectors = new Map<string, number[]>();
      const unsealed = new Set<string>();
      const sets = { changed, embedded, removedVectors, unsealed };
      const transaction = { trx, userId, now, list, clock, indexes, ...sets, mark: mark ?? null };
      const result = await work(transaction);
      await sealMemories(transaction, [...unsealed]);
      await recordChanges(trx, userId, changed, embedded, removedVectors);
      return result;
    });
}
