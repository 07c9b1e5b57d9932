/** The key of a memory among the memories of all users. */
export interface MemoryKey {
  userId: string;
  id: string;
}

export interface DamagedMemory extends MemoryKey {
  /** ISO 8601. */
  foundAt: string;
}

/** One check of all memories, in the order of their keys. */
export interface IntegrityRound {
  /** The last memory that was checked. */
  after: MemoryKey;
  /** ISO 8601. */
  startedAt: string;
  /** Null until all memories have been checked. */
  finishedAt: string | null;
}

/**
 * Finds damage that the database does not see. Each memory has a seal: a hash over its fields and its text, written with
 * each change.
 */
export interface IntegrityStore {
  /** Checks the structure of the store and returns the damage. If there is any, no more changes are accepted. */
  checkStructure(signal?: AbortSignal): Promise<readonly string[]>;
  /** Null if none has begun. */
  round(): Promise<IntegrityRound | null>;
  saveRound(round: IntegrityRound): Promise<void>;
  /** Checks the next memories after a key, also those in the trash. Changes nothing. `last` is null at the end. */
  checkNext(
    after: MemoryKey,
    limit: number,
  ): Promise<{ checked: number; last: MemoryKey | null; damaged: MemoryKey[]; unsealed: MemoryKey[] }>;
  /** Seals the current state of memories, except memories whose text does not match its hash. */
  seal(keys: readonly MemoryKey[]): Promise<void>;
  /** Adds a memory to the list of damaged ones. Its text being replaced takes it off again. */
  record(userId: string, id: string, now: string): Promise<void>;
  /** The first damaged memories that were found. */
  damaged(limit: number): Promise<DamagedMemory[]>;
}
