import type { MemoryKey } from './integrity-store.js';
import type { StoreFacts } from './store-facts.js';

/** How far a check or a repair has come. */
export interface Following {
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, whole: number) => void) | undefined;
}

/** Differences between the memories and the data derived from them. */
export interface DerivedFacts {
  /** Live chunks without a row in the full-text index, and rows without a live chunk. */
  text: { missing: number; orphaned: number; problems: readonly string[] };
  /** Vectors without a live chunk, and vectors whose length does not match their model. */
  vectors: { orphaned: number; misshapen: number };
  /** Memories that are marked as embedded and are not, and the reverse. */
  marks: { wrong: number; missing: number };
  /** Memories whose rows of tags differ from their tags. */
  tags: number;
  /** Memories and users of which other numbers of chunks, embeddings and the like are kept than there are. */
  counts: number;
  /** The newest number of the change sequence, and the last one that was given out. */
  sequence: { newest: number; last: number };
}

/** Parts of a store that can be made again from its memories. */
export type Derived = keyof DerivedFacts | 'indexes';

export interface WorkFacts {
  /** Why indexing has stopped, for each user with a failed job. */
  failedIndexing: readonly string[];
  /** Captures that plugins could not be notified of. */
  parkedEvents: number;
  /** Leases that end over an hour from now. */
  stuckLeases: number;
}

export interface StoreVersions {
  database: string;
  /** Migrations that the store lacks, and those that this program does not know. */
  missing: readonly string[];
  unknown: readonly string[];
}

/** A file or folder that others may read. */
export interface OpenPermission {
  path: string;
  /** Octal, such as `644`. */
  mode: string;
}

/** Examines a store without changing it, and repairs the data derived from its memories. */
export interface StoreDoctor {
  /**
   * Problems of the file's structure. `isIndexOnly`: the rows are whole, but an index differs from them. `isComplete`:
   * everything was checked, so that this is certain.
   */
  structure(options?: Following): Promise<{ problems: readonly string[]; isIndexOnly: boolean; isComplete: boolean }>;
  /** Tables with rows that refer to rows which do not exist. */
  foreignKeys(): Promise<readonly string[]>;
  /** Memories that do not match their seal. */
  damagedMemories(options?: Following): Promise<{ checked: number; damaged: readonly MemoryKey[] }>;
  derived(): Promise<DerivedFacts>;
  work(): Promise<WorkFacts>;
  versions(): Promise<StoreVersions>;
  permissions(): Promise<readonly OpenPermission[]>;
  /** The last reading of the clock: ISO 8601. Null if there is none. */
  lastReading(): Promise<string | null>;
  facts(): Promise<Pick<StoreFacts, 'freeBytes' | 'lacksReserve'>>;
  /** Makes a part again, in batches. If it is aborted, the store is consistent, and a repetition continues. */
  fix(part: Derived, options?: Following): Promise<void>;
  fixPermissions(): Promise<void>;
  /** Removes the mark of a damaged store whose structure is whole again. */
  clearMark(): Promise<void>;
  close(): Promise<void>;
}
