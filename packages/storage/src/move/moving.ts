import type { Kysely } from 'kysely';
import type { ConnectOptions } from '../connect-options.js';
import type { Tables, Trx } from '../tables.js';
import type { StoreMark } from './store-mark.js';

/** A row of any table. */
export type Row = Readonly<Record<string, unknown>>;

/** A store that is read while no process can change it. Only its mark is ever written. */
export interface SourceStore {
  db: Kysely<Tables>;
  /** Its URL, without a password. */
  location: string;
  writeMark(mark: StoreMark): Promise<void>;
  close(): Promise<void>;
}

/** A store that gets the rows of another one. */
export interface TargetStore {
  /** Connections to the store; other ones after {@link TargetStore.empty}. */
  readonly db: Kysely<Tables>;
  /** Its URL, without a password. */
  location: string;
  readMark(): Promise<StoreMark | null>;
  /** Null removes the mark. */
  writeMark(mark: StoreMark | null): Promise<void>;
  /** Removes all rows. The tables may have to be made again. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a dialect that moving a store needs. */
export interface Moving {
  /** Locks a store for reading. Throws StoreRefusedError. */
  openSource(url: string, options: ConnectOptions): Promise<SourceStore>;
  /** Opens a store for writing, and creates it without tables if there is none. Throws StoreRefusedError. */
  openTarget(url: string, options: ConnectOptions): Promise<TargetStore>;
  /** Returns a vector as the embedding model made it, as far as the store kept its precision. */
  toVector(stored: unknown): Float32Array;
  /** Inserts rows with the numbers that they have, where the database would number them itself. */
  insert(trx: Trx, table: keyof Tables, rows: readonly Row[]): Promise<void>;
  /** Continues all numbers after the highest one, and the numbers of changes after `newest`. */
  continueNumbers(trx: Trx, newest: number): Promise<void>;
}
