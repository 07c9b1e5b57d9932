import type { TextIndex, VectorIndex } from '@recollect/core';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database, Tables, Trx } from './tables.js';

export interface TextRow {
  chunkId: number;
  title: string;
  body: string;
  /** Tags and note, on the first chunk of a memory alone. */
  notes: string;
}

/** A text index with its writing side, for use within a transaction of the memory store. */
export interface TextIndexTable extends TextIndex {
  write(trx: Trx, userId: string, rows: readonly TextRow[]): Promise<void>;
  remove(trx: Trx, chunkIds: readonly number[]): Promise<void>;
}

export interface Connected extends Database {
  /** Whether changes are refused, since the disk failed or the file is damaged. */
  isHalted(): boolean;
  /** Throws STORE_HALTED when changes are refused. */
  checkWritable(): void;
  /** @param options.keepsFiles writes nothing back, for a store that is not ours to touch */
  close(options?: { keepsFiles: boolean }): Promise<void>;
}

/**
 * What differs between databases, cut at operations and never at fragments of SQL; all else is portable Kysely. An
 * implementation is a folder with the same few files.
 */
export interface StorageDialect {
  /** Opens the store that a URL names, creating it where there is none. Throws StoreRefusedError, and touches nothing then. */
  connect(url: string, options: { readers: number }): Promise<Connected>;
  migrations: Record<string, Migration>;
  hasTable(db: Kysely<Tables>, name: string): Promise<boolean>;
  createTextIndex(database: Database): TextIndexTable;
  createVectorIndex(database: Database): VectorIndex;
}
