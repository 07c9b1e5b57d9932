import type { ChangeMark } from '@recollect/core';
import type { Database, TextIndexTable, VectorIndexTable } from './dialect.js';
import { recordChanges } from './indexing/change-log.js';
import { writeChecksums } from './memories/checksums.js';
import { checkQuota, readAllowance } from './memories/quota.js';
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
  isIn: Database['isIn'];
  clock: Database['clock'];
  changeNumbers: Database['changeNumbers'];
  indexes: IndexTables;
  /** The memories whose index rows have changed. They are recorded in the change sequence before the commit. */
  changed: Set<string>;
  /** The memories of which only vectors have changed. */
  embedded: Set<string>;
  /** The chunks whose vectors or full-text rows were removed, by memory. */
  removedChunks: Map<string, Set<number>>;
  /** The memories that have changed and get a new checksum before the commit. */
  staleChecksums: Set<string>;
  /** How the changes are entered in the history. Null if they are not. */
  changeMark: ChangeMark | null;
}

/** The import whose memories a transaction stores; null if it is not one. */
export function importIdOf({ changeMark }: Pick<UserTransaction, 'changeMark'>): string | null {
  return changeMark?.isImport === true ? changeMark.changeId : null;
}

export type RunTransaction = <T>(
  userId: string,
  now: string,
  work: (transaction: UserTransaction) => Promise<T>,
  changeMark?: ChangeMark | undefined,
) => Promise<T>;

/** Makes the function that all changes of memories run in, so that none is missing from the change sequence. */
export function createRunTransaction(database: Database, indexes: IndexTables): RunTransaction {
  const { transaction: transact, isIn, clock, changeNumbers } = database;
  return (userId, now, work, changeMark) =>
    transact(userId, async (trx) => {
      const changed = new Set<string>();
      const embedded = new Set<string>();
      const removedChunks = new Map<string, Set<number>>();
      const staleChecksums = new Set<string>();
      const sets = { changed, embedded, removedChunks, staleChecksums };
      const transaction = {
        trx,
        userId,
        now,
        isIn,
        clock,
        changeNumbers,
        indexes,
        ...sets,
        changeMark: changeMark ?? null,
      };
      const allowance = await readAllowance(trx, userId);
      const result = await work(transaction);
      if (allowance !== null) await checkQuota(trx, userId, allowance);
      await writeChecksums(transaction, [...staleChecksums]);
      await recordChanges(transaction, changed, embedded, removedChunks);
      return result;
    });
}
