/** One change of a memory's rows in the indexes. */
export interface IndexChange {
  /** Its position in the change sequence. */
  sequence: number;
  memoryId: string;
  /** Whether only its vectors changed: nothing that a list or a page shows. */
  isVectorsOnly: boolean;
}

/**
 * The change sequence: every commit that changes the chunks, vectors or filterable fields of a memory records that memory under
 * the next number. An index kept in RAM, in this process or another, reads the changes since the last number that it knows
 * and reloads those memories.
 *
 * @example
 * const changes = await log.since('ann', known);
 * if (changes === null) await rebuild();
 * else for (const { memoryId } of changes) await reload(memoryId);
 */
export interface ChangeLog {
  /** The number of the newest change, of any user; 0 if there is none. */
  latest(): Promise<number>;
  /**
   * The changes of a user after `sequence`, oldest first. Null if some are missing, because the log was trimmed or the store
   * was replaced by an older one: the index must be rebuilt.
   */
  since(userId: string, sequence: number): Promise<IndexChange[] | null>;
}
