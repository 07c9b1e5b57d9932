import type { Backup, BackupFailure, BackupKind, Restored, RestorePreview } from '@recollect/contract';
import type { MemoryKey } from './records.js';

/** The current time, as a port so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A backup of the store, as far as a message about damage names it. */
export interface NewestBackup {
  path: string;
  /** When it was made: ISO 8601. */
  at: string;
  /** Whether it was opened and checked after it was made. */
  isVerified: boolean;
}

/** Finds the newest backup, a verified one if there is any. Null if there is none. */
export type FindNewestBackup = () => Promise<NewestBackup | null>;

/** A backup with the position in the change sequence that it contains. Null if that is unknown. */
export interface StoredBackup extends Backup {
  sequence: number | null;
}

/** A finished copy of a store: one file, opened, checked, counted and hashed. */
export interface StoreCopy {
  bytes: number;
  sha256: string;
  /** Live memories and those in the trash, of all users. */
  memories: number;
  /** The newest number of the change sequence in it. */
  sequence: number;
}

/** Copies an open store into a new file while it is in use. Throws if the copy does not pass its check. */
export type CopyStore = (target: string, options?: { signal?: AbortSignal | undefined }) => Promise<StoreCopy>;

/** The backups of one store. */
export interface BackupStore {
  /** Where the backups are. */
  folder: string;
  /** Whether the server makes automatic backups. */
  isAutomatic: boolean;
  /** Newest first. Backups that a wrong clock has dated in the future come last. */
  list(): Promise<StoredBackup[]>;
  /** Writes a backup and checks it. Throws BACKUP_FAILED, and leaves nothing behind then. */
  create(kind: BackupKind, options?: { signal?: AbortSignal | undefined }): Promise<StoredBackup>;
  remove(backup: StoredBackup): Promise<void>;
  /** The failure that was saved last, by any process. */
  failure(): Promise<BackupFailure | null>;
  saveFailure(failure: BackupFailure | null): Promise<void>;
}

/** Restores backups in a server, which starts again with the restored store. */
export interface BackupRestorer {
  /** Checks a backup, and compares it with the store. Throws BACKUP_FAILED. */
  preview(backup: StoredBackup, signal: AbortSignal): Promise<Omit<RestorePreview, 'name'>>;
  /** Checks a backup, and then makes the server start again with it. Throws BACKUP_FAILED. */
  restore(backup: StoredBackup, signal: AbortSignal): Promise<void>;
  /** The last restore since the server was started. */
  last: Restored | null;
}

/** The size of a store. Sizes are in bytes. */
export interface StoreFacts {
  /** The file or address of the store, without a password. Null if it is in memory. */
  location: string | null;
  bytes: number;
  /** Free space on its disk. Null if it has none, or if a database server has it. */
  freeBytes: number | null;
  /**
   * Whether no space is kept for deletions, and the disk has no room for it: once it is full, nothing can be deleted.
   */
  lacksReserve: boolean;
}

/** Counts of a user's store. */
export interface StoreCounts {
  memories: number;
  chunks: number;
  highlights: number;
  trash: number;
}

/** Why a store accepts no changes: the code of the problem, and what to do. */
export interface StoreProblem {
  code: 'STORE_HALTED' | 'STORE_DAMAGED' | 'STORE_GONE';
  message: string;
  /** Seconds after which a change may be accepted again; missing where nobody knows. */
  retryAfter?: number;
  /** The path of a copy of everything that was saved, if one was made. */
  rescue?: string | null;
}

/** Describes the store, for its owner. */
export interface StoreInspector {
  facts(): Promise<StoreFacts>;
  /** Null while the store accepts changes. */
  problem(): StoreProblem | null;
  counts(userId: string): Promise<StoreCounts>;
}

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
  /** Memories that do not match their checksum. */
  damagedMemories(options?: Following): Promise<{ checked: number; damaged: readonly MemoryKey[] }>;
  derived(): Promise<DerivedFacts>;
  work(): Promise<WorkFacts>;
  versions(): Promise<StoreVersions>;
  /** The other store of a move: where the memories are now, or where they come from. Null for a store in use. */
  move(): Promise<{ state: 'moved' | 'unfinished'; other: string } | null>;
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

/**
 * Equal errors of the server: what failed, how, and how often. It holds names and codes only, nothing that a user wrote
 * (SEC-15).
 */
export interface LoggedError {
  /** The id of an operation, or the name of background work. */
  operation: string;
  /** The code of the problem; `INTERNAL` for an unexpected error. */
  code: string;
  /** The names and codes of the error and its causes, the outermost first. */
  cause: string;
  count: number;
  /** ISO 8601. */
  firstAt: string;
  lastAt: string;
  /** The id of the last request that failed. Null for background work. */
  requestId: string | null;
  /** The innermost frames of the last one: function, package, file and line. */
  frames: readonly string[];
}

/** Keeps the last errors of the server. */
export interface ErrorLog {
  /** Adds errors. Counts errors with the same operation, code and cause together. Keeps the `kept` newest. */
  add(errors: readonly LoggedError[], kept: number): Promise<void>;
  /** The errors that occurred last, the newest first. */
  latest(limit: number): Promise<LoggedError[]>;
}

/**
 * Reads YAML into plain values, with dates as texts, and numbers that would be written otherwise.
 * Throws for text that is not YAML.
 */
export type ReadYaml = (text: string) => Promise<unknown>;
