import type {
  ChangeLog,
  CopyStore,
  HybridIndex,
  StoreFacts,
  StoreProblem,
  TextIndex,
  VectorIndex,
} from '@recollect/core';
import type { Expression, Kysely, SqlBool } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ConnectOptions } from './connect-options.js';
import type { Moving } from './move/moving.js';
import type { Tables, Trx } from './tables.js';

/**
 * The connections of an open store. Reads go to a pool; all writes go through one connection, whose transactions hold
 * the write lock from their start.
 */
export interface Connections {
  reader: Kysely<Tables>;
  writer: Kysely<Tables>;
  /**
   * For reads of a row or two by an index that every request waits for. Switching to another thread would cost more.
   */
  lookup: Kysely<Tables>;
}

/** Space on the disk that is kept for deletions, which write as well. */
export interface Reserve {
  /** Throws STORE_FULL if the space that is left belongs to deletions. */
  demand(): void;
  /** Gives the space back to the disk. False if there is none to give. */
  release(): Promise<boolean>;
}

export interface Connected extends Connections {
  /** By default, {@link transactionsOf} the connection that writes. */
  transaction?: RunWrite;
  /** Where the store is, and how large. */
  facts(): Promise<StoreFacts>;
  /** Why changes are rejected. Null while they are accepted. */
  problem(): StoreProblem | null;
  /** The searching sides of the indexes, over these connections. */
  createSearches(database: Database): Searches;
  /** As `ChangeLog.follow`. */
  follow?: NonNullable<ChangeLog['follow']>;
  /** Copies the store while it is in use. Missing for a store in memory. */
  copy?: CopyStore;
  /** Whether the database shows statements only the rows of the acting user. */
  hasRowSecurity?: boolean;
  /** None for a store that takes no space on a disk of this machine. */
  reserve?: Reserve;
  /**
   * Checks the structure of the files, in the background, and returns the damage. Changes are rejected from then on.
   */
  checkStructure?(signal: AbortSignal | undefined): Promise<string[]>;
  /** @param options.keepsFiles does not write the WAL back, for a store that must not be changed */
  close(options?: { keepsFiles: boolean }): Promise<void>;
}

/** The SQL that databases write differently. All other statements are portable Kysely. */
export interface SqlDialect {
  /**
   * The condition that a column has one of some values, of which there may be none. They are bound as one parameter, so
   * that their number does not change the statement.
   *
   * @example
   * query.where(isIn('memories.id', ['018f…', '0190…']))
   */
  isIn(column: string, values: readonly string[] | readonly number[]): Expression<SqlBool>;
  /** The length of a text in UTF-16 code units. Databases count characters. */
  utf16Length(text: Expression<string>): Expression<number>;
  /**
   * Whether changes are numbered in the store or for each user. Numbers must be in the order of the commits, so where
   * users write at the same time, each has their own.
   */
  changeNumbers: 'store' | 'user';
  /**
   * The present instant, in milliseconds, of the clock that times leases, plus `after` milliseconds. All processes that
   * share the store must share this clock.
   */
  clock(after?: number): Expression<number>;
}

/**
 * Runs a transaction that writes. The transactions of a user run one at a time, in the order of the calls. The user is
 * null for data of all users. `work` may be repeated: it has no effects outside of the transaction.
 */
export type RunWrite = <T>(userId: string | null, work: (trx: Trx) => Promise<T>) => Promise<T>;

/** Runs all transactions on one connection. */
export function transactionsOf(writer: Kysely<Tables>): RunWrite {
  return (_userId, work) => writer.transaction().execute(work);
}

/** The parts of an open store that portable code uses. */
export type Database = Connections & SqlDialect & { transaction: RunWrite };

/** The key of a chunk's row in the full-text index. */
export interface TextKey {
  userId: string;
  chunkId: number;
}

export interface TextRow extends TextKey {
  title: string;
  body: string;
  /** Tags and note, on the first chunk of a memory only. */
  notes: string;
  /** The comments below the page, on the first chunk of a memory only. */
  comments: string;
}

/** The writing side of the full-text index, used in the transaction that changes the memory. */
export interface TextIndexTable {
  write(trx: Trx, rows: readonly TextRow[]): Promise<void>;
  remove(trx: Trx, rows: readonly TextKey[]): Promise<void>;
  /** Adds words of a user's texts to the words that mistyped ones may be corrected to. */
  addWords(trx: Trx, userId: string, words: readonly string[]): Promise<void>;
}

/** The key of a row in `embeddings`. */
export interface VectorKey {
  userId: string;
  /** The model's row in `models`. */
  modelId: number;
  chunkId: number;
}

export interface VectorRow extends VectorKey {
  /** Of length 1, in the model's dimensions. */
  vector: Float32Array;
}

/** The writing side of the vector index, used in the transaction that changes the memory. Writing replaces. */
export interface VectorIndexTable {
  write(trx: Trx, rows: readonly VectorRow[]): Promise<void>;
  remove(trx: Trx, rows: readonly VectorKey[]): Promise<void>;
}

/** The searching sides of a dialect's indexes. */
export interface Searches {
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
  hybridIndex: HybridIndex;
}

/**
 * The differences between databases that can hold a store. An implementation is a folder with the same few files.
 *
 * Portable code relies on this: text compares and sorts by its bytes (in PostgreSQL, `collate "C"` on every text
 * column), counts are JavaScript numbers, `insert … on conflict` and `returning` exist, and write transactions of a
 * user run one at a time.
 */
export interface StorageDialect {
  /**
   * Opens the store at a URL and creates it if it does not exist. Throws StoreRefusedError; no file has been touched
   * then.
   */
  connect(url: string, options: ConnectOptions): Promise<Connected>;
  /** Creates the tables of {@link Tables}, and everything that the indexes need. */
  migrations: Record<string, Migration>;
  hasTable(db: Kysely<Tables>, name: string): Promise<boolean>;
  sql: SqlDialect;
  textIndexTable: TextIndexTable;
  vectorIndexTable: VectorIndexTable;
  /** Moving a store to or from another one. */
  moving: Moving;
}
