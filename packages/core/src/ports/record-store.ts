import type { ExportRecord } from '@recollect/contract';
import type { MemoryFilter } from '../memory.js';
import type { Pictures } from '../pictures/picture.js';
import type { ChangeMark } from './history-store.js';
import type { IndexingDraft } from './indexing-job-store.js';

export interface RecordSelection {
  /** If it has conditions, memories in the trash are left out. */
  filter: MemoryFilter;
  /** ISO 8601 in UTC: only memories that were saved, changed or highlighted since. */
  changedSince: string | null;
  /** Characters of former values in the history of one memory. Older entries are read without theirs. */
  formerLength: number;
}

/** A record about to be stored. Its values are valid, and its times are ISO 8601 in UTC. */
export interface NewRecord {
  record: ExportRecord;
  urlKey: string | null;
  site: string | null;
  contentHash: string;
  /** Null if the store already has the memory: splitting its text was not worth the time. */
  chunks: readonly string[] | null;
  /** For each highlight, its passage and note in the form that is searched. */
  folded: readonly string[];
  /** The pictures of the record that can be stored. */
  pictures?: Pictures;
}

/**
 * The outcome for a record. `updated`: a memory with the same text lacked something, such as a highlight. `duplicate`:
 * it lacked nothing. `conflict`: the memory with this id has another text. `trashed`: the memory is in the trash, and
 * the record's is not. `gone`: the memory was removed since {@link RecordStore.known}, so its chunks are needed.
 */
export type RecordOutcome = 'created' | 'updated' | 'duplicate' | 'conflict' | 'trashed' | 'gone';

/** Whole memories with all that belongs to them, for export and import. */
export interface RecordStore {
  /**
   * The memories of a user in the order of their ids, with those in the trash. Reads a few at a time. A memory that changes
   * meanwhile is complete, before or after the change. Throws UNAVAILABLE if one never stays the same for long enough.
   */
  scan(userId: string, selection: RecordSelection): AsyncIterable<ExportRecord>;
  /** How many memories {@link scan} finds. */
  count(userId: string, selection: RecordSelection): Promise<number>;
  /**
   * The ids of those records whose memory the store has: one with the same id, or a live one with the same text and URL. A record of
   * the trash has no hash: it is never another memory.
   */
  known(userId: string, records: readonly { id: string; contentHash: string | null }[]): Promise<Set<string>>;
  /**
   * Stores records with their ids and times, in one transaction, and the indexing job for those that need embeddings. A memory that
   * exists loses nothing: it gets highlights that it lacks and the latest time of its capture; one with another id but the same
   * text also gets tags and note, as from another capture. Its history records this change if there is a mark.
   * Plugins are not notified.
   */
  insert(
    userId: string,
    records: readonly NewRecord[],
    options: { now: string; indexing: IndexingDraft; mark?: ChangeMark },
  ): Promise<RecordOutcome[]>;
}
