import type { Actor, ChangeKind } from '@recollect/contract';
import type { Memory } from '../memory.js';

/** Enters a change in the history: the changes of one request have the same id. */
export interface ChangeMark {
  changeId: string;
  /** Null if unknown. */
  by: Actor | null;
}

/** The values that a change replaced. */
export type FormerValues = Partial<
  Pick<Memory, 'title' | 'tags' | 'note' | 'starred' | 'readState' | 'progress'> & { text: string }
>;

/** The effect of a change on one memory. */
export interface HistoryEntry {
  /** Grows with every entry. */
  position: number;
  changeId: string;
  memoryId: string;
  kind: ChangeKind;
  by: Actor | null;
  /** ISO 8601 in UTC. */
  at: string;
  fields: readonly (keyof FormerValues)[];
  /** Null once the values are no longer kept. */
  before: FormerValues | null;
}

/** An entry with its place in the history of its memory, from 1 for the first change. Its former text is left out. */
export interface NumberedEntry extends HistoryEntry {
  number: number;
}

/** Changes of memories after they were saved. The memory store writes it, in the transaction of the change. */
export interface HistoryStore {
  /** The entries of a memory, newest first. */
  ofMemory(userId: string, memoryId: string, limit: number): Promise<NumberedEntry[]>;
  /** The entries of a memory from a number on, oldest first. */
  ofMemoryFrom(userId: string, memoryId: string, number: number): Promise<NumberedEntry[]>;
  /** The number of the newest entry of a memory whose former values are no longer kept; 0 if all are. */
  newestForgotten(userId: string, memoryId: string): Promise<number>;
  /** The text that the entry at a position replaced. Null if it replaced none, or if the text is no longer kept. */
  formerText(userId: string, position: number): Promise<string | null>;
  /** The memories that a change has entries of, each with the position of its first one; oldest first. */
  ofChange(userId: string, changeId: string): Promise<Pick<HistoryEntry, 'memoryId' | 'position'>[]>;
  /** The changes whose ids begin like this, in the order of their ids. */
  changesByPrefix(userId: string, prefix: string, limit: number): Promise<string[]>;
  /** The entries of these memories from a position on, oldest first. */
  since(userId: string, memoryIds: readonly string[], position: number): Promise<HistoryEntry[]>;
}
