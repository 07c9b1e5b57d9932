import type {
  Actor,
  ChangeKind,
  ExportRecord,
  Highlight,
  SavedSearch,
  TagLook,
  TagLookBody,
} from '@recollect/contract';
import type { ReviewDecision } from '@recollect/contract/vocabulary';
import type { Memory, MemoryFilter } from '../memory.js';
import type { Picture, PictureKind, Pictures } from '../pictures/read-pictures.js';
import type { IndexingDraft } from './indexing.js';

export interface RecordSelection {
  /** If it has conditions, memories in the trash are left out. */
  filter: MemoryFilter;
  /** ISO 8601 in UTC: only memories that were saved, changed or highlighted since. */
  changedSince: string | null;
  /** Characters of former values in the history of one memory. Older entries are read without theirs. */
  previousLength: number;
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
   * The memories of a user in the order of their ids, with those in the trash. Reads a few at a time. A memory that
   * changes meanwhile is complete, before or after the change. Throws UNAVAILABLE if one never stays the same for long
   * enough.
   */
  scan(userId: string, selection: RecordSelection): AsyncIterable<ExportRecord>;
  /** How many memories {@link scan} finds. */
  count(userId: string, selection: RecordSelection): Promise<number>;
  /**
   * The ids of those records whose memory the store has: one with the same id, or a live one with the same text and
   * URL. A record of the trash has no hash: it is never another memory.
   */
  known(userId: string, records: readonly { id: string; contentHash: string | null }[]): Promise<Set<string>>;
  /**
   * Stores records with their ids and times, in one transaction, and the indexing job for those that need embeddings. A
   * memory that exists loses nothing: it gets highlights that it lacks and the latest time of its capture; one with
   * another id but the same text also gets tags and note, as from another capture. Its history records this change if
   * there is a mark. Plugins are not notified.
   */
  insert(
    userId: string,
    records: readonly NewRecord[],
    options: { now: string; indexing: IndexingDraft; changeMark?: ChangeMark },
  ): Promise<RecordOutcome[]>;
}

/** Enters a change in the history: the changes of one request have the same id. */
export interface ChangeMark {
  changeId: string;
  /** Null if unknown. */
  actor: Actor | null;
  /** Whether it is an import: memories that it creates keep its id, so that they can be found for an undo. */
  isImport?: boolean | undefined;
}

/** The values that a change replaced. */
export type PreviousValues = Partial<
  Pick<Memory, 'title' | 'tags' | 'note' | 'starred' | 'readState' | 'progress' | 'place'> & { text: string }
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
  fields: readonly (keyof PreviousValues)[];
  /** Null once the values are no longer kept. */
  before: PreviousValues | null;
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
  previousText(userId: string, position: number): Promise<string | null>;
  /** The memories that a change has entries of, each with the position of its first one; oldest first. */
  ofChange(userId: string, changeId: string): Promise<Pick<HistoryEntry, 'memoryId' | 'position'>[]>;
  /** The changes whose ids begin like this, in the order of their ids. */
  changesByPrefix(userId: string, prefix: string, limit: number): Promise<string[]>;
  /** The entries of these memories from a position on, oldest first. */
  since(userId: string, memoryIds: readonly string[], position: number): Promise<HistoryEntry[]>;
}

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
 * Finds damage that the database does not see. Each memory has a checksum: a hash over its fields and its text, written
 * with each change.
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
  ): Promise<{ checked: number; last: MemoryKey | null; damaged: MemoryKey[]; withoutChecksum: MemoryKey[] }>;
  /** Computes the checksums of memories, except memories whose text does not match its hash. */
  addChecksums(keys: readonly MemoryKey[]): Promise<void>;
  /** Adds a memory to the list of damaged ones. Its text being replaced takes it off again. */
  record(userId: string, id: string, now: string): Promise<void>;
  /** The first damaged memories that were found. */
  damaged(limit: number): Promise<DamagedMemory[]>;
}

/** A highlight as stored, with the displayed fields of its memory. */
export interface StoredHighlight extends Omit<Highlight, 'title' | 'url' | 'sourceType' | 'reviewedAt' | 'dismissed'> {
  /** Passage and note in the form that is searched: without case and accents. */
  folded: string;
}

/** The values of a highlight that a change replaces; `folded` comes with a note. */
export interface HighlightChange extends Partial<Pick<StoredHighlight, 'note' | 'folded' | 'colour'>> {
  now: string;
}

/** A decision of the review. */
export interface HighlightReview {
  /** Null takes the decision of today back, and offers a dismissed highlight again. */
  decision: ReviewDecision | null;
  /** When today began. */
  since: string;
  now: string;
}

export interface HighlightCursor {
  createdAt: string;
  id: string;
}

/** The highlights of all users. They are deleted with their memory, and hidden while it is in the trash. */
export interface HighlightStore {
  /** Stores a highlight. `unknown`: no live memory has this id. `full`: the memory has `most` highlights. */
  insert(userId: string, highlight: StoredHighlight, most: number): Promise<'stored' | 'unknown' | 'full'>;
  find(userId: string, id: string): Promise<Highlight | null>;
  /** False when unknown or hidden. */
  update(userId: string, id: string, change: HighlightChange): Promise<boolean>;
  /** False when unknown or hidden. */
  remove(userId: string, id: string): Promise<boolean>;
  /**
   * The highlights after the cursor, newest first. Their passage and note contain all words. The words are also folded.
   */
  list(
    userId: string,
    options: { memoryId: string | null; words: readonly string[]; limit: number; after: HighlightCursor | null },
  ): Promise<Highlight[]>;
  /** Highlights of live memories with one of these URL keys, at most `limit`, in any order. */
  onPages(userId: string, urlKeys: readonly string[], limit: number): Promise<(Highlight & { urlKey: string })[]>;
  /**
   * The highlights that the review may offer: made before `since`, and the longest unseen first. A highlight was seen
   * when it was last reviewed, or else when it was made. Decisions since then do not change the order, and a highlight
   * that was dismissed since then is still among them.
   */
  reviewable(userId: string, since: string, limit: number): Promise<Pick<Highlight, 'id' | 'memoryId'>[]>;
  /** Keeps a decision of the review. False when unknown or hidden. */
  review(userId: string, id: string, review: HighlightReview): Promise<boolean>;
}

/** The saved searches of all users. Names are unique per user without regard to case (`tagKey`). */
export interface SavedSearchStore {
  /** By name, without regard to case. */
  list(userId: string): Promise<SavedSearch[]>;
  /** `taken`: another one has the name. `full`: the user has `most`. */
  insert(userId: string, search: SavedSearch, most: number): Promise<'stored' | 'taken' | 'full'>;
  /**
   * Changes the given fields, and returns the search. `taken`: another one has the name. `unknown`:
   * there is none with the id.
   */
  update(
    userId: string,
    id: string,
    change: { name?: string | undefined; query?: string | undefined; updatedAt: string },
  ): Promise<SavedSearch | 'taken' | 'unknown'>;
  /** False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
}

/** The icons and colours of tags, by their keys (`tagKey`). */
export interface TagLookStore {
  /** In the order of the keys. */
  list(userId: string): Promise<TagLook[]>;
  /** Changes the given fields of a tag, and returns its look; null removes one. `full`: `most` tags have a look. */
  save(userId: string, look: TagLookBody, most: number): Promise<TagLook | 'full'>;
}

/** The pictures of memories and of their sites. {@link MemoryStore} and {@link RecordStore} store them. */
export interface PictureStore {
  /** The picture of a live memory, or the favicon of its site. */
  find(userId: string, memoryId: string, kind: PictureKind): Promise<Picture | null>;
  /** How many pictures and favicons there are, each counted once, and their bytes. */
  size(userId: string): Promise<{ count: number; bytes: number }>;
}

/** One change of a memory's rows in the indexes. */
export interface IndexChange {
  /** Its position in the change sequence. */
  sequence: number;
  memoryId: string;
  /** Whether only its vectors changed: nothing that a list or a page shows. */
  isVectorsOnly: boolean;
}

/**
 * The change sequence: every commit that changes the chunks, vectors or filterable fields of a memory records that
 * memory under the next number. An index kept in RAM, in this process or another, reads the changes since the last
 * number that it knows and reloads those memories.
 *
 * @example
 * const changes = await log.since('ann', known);
 * if (changes === null) await rebuild();
 * else for (const { memoryId } of changes) await reload(memoryId);
 */
export interface ChangeLog {
  /**
   * A number that all recorded changes of a user have reached, and later ones exceed; 0 if there is no change. Null
   * stands for all users: the number then grows with each change.
   */
  latest(userId: string | null): Promise<number>;
  /**
   * The changes of a user after `sequence`, oldest first. Null if some are missing, because the log was trimmed or the
   * store was replaced by an older one: the index must be rebuilt.
   */
  since(userId: string, sequence: number): Promise<IndexChange[] | null>;
  /**
   * Calls a function with the user of each change, soon after its commit, until the returned function is called.
   * Missing where the database announces nothing. Announcements can be lost, so that callers also look from time to
   * time.
   */
  follow?(onChange: (userId: string) => void): () => void;
}
