import type { Actor, CountsAnswer, PlaceCounts, Sort } from '@recollect/contract';
import type { Comment, Memory, MemoryFilter, NewMemory, Reading } from '../memory.js';
import type { Picture } from '../pictures/read-pictures.js';
import type { IndexingDraft, Lease } from './indexing.js';
import type { ChangeMark, PreviousValues } from './records.js';

/** How one memory was saved. Unless it was created, the fields describe the existing memory. */
export interface SavedMemory extends Pick<Memory, 'id' | 'title' | 'url' | 'sourceType' | 'sourceApp' | 'captureMode'> {
  /** `updated`: new turns were added to a conversation. */
  status: 'created' | 'duplicate' | 'updated';
  /** The fields that a known memory got from the capture; missing if none. */
  merged?: readonly ('title' | 'tags' | 'note')[];
  /** The chunks that were added, in order; none for a duplicate. */
  added: readonly PendingChunk[];
}

/** An answer kept for retries of a request (CAP-8). */
export interface StoredAnswer {
  requestHash: string;
  answer: unknown;
}

export interface InsertPlan {
  now: Date;
  /** The answer to keep, made inside the transaction from the saved memories. */
  replay?:
    | {
        key: string;
        requestHash: string;
        answer: (saved: readonly SavedMemory[], hooksTriggered: number) => unknown;
      }
    | undefined;
  /** The indexing job to record in the same transaction, or null when none is needed. */
  indexing: (saved: readonly SavedMemory[]) => IndexingDraft | null;
  /** Whether plugins are notified of new memories. */
  triggersHooks: boolean;
  /** The actor of the capture. */
  actor?: Actor | null | undefined;
  /** The import that saves the memories, whose id its changes have. */
  importId?: string | undefined;
  /** The lease that protects the work. Throws {@link LeaseLostError} when it is lost. */
  lease?: Lease | undefined;
}

/** The changed fields of a {@link Reading}. */
type ReadingChange = { [Field in keyof Reading]?: Reading[Field] | undefined };

/** Changes of a memory. Fields that are missing or undefined do not change. */
export interface MemoryChange extends ReadingChange {
  title?: string | undefined;
  tags?: readonly string[] | undefined;
  note?: string | null | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** A new text: its chunks, and the hash by which it is recognised when it is captured again. */
  text?: { chunks: readonly string[]; contentHash: string } | undefined;
  /** Its picture; null for none. */
  picture?: Picture | null | undefined;
}

/** A memory as a change finds it. */
export interface PresentMemory extends Memory {
  /** The hash by which its text is recognised. */
  contentHash: string;
}

export interface ChangeOptions {
  /** ISO 8601. */
  now: string;
  indexing: IndexingDraft;
  /** Enters the change in the history of the memory. Without it, only the memory changes. */
  changeMark?: ChangeMark | undefined;
  /** The lease that protects the work. Throws {@link LeaseLostError} when it is lost. */
  lease?: Lease | undefined;
}

export interface BulkOptions extends ChangeOptions {
  /** Skips memories with history entries after this position. The transaction of the change reads them. */
  unlessChangedAfter?: number | undefined;
}

/** A change of many memories: to or from the trash, or of their fields. */
export type BulkChange = 'delete' | 'restore' | ((present: Memory) => MemoryChange);

export interface MemoryCursor {
  capturedAt: string;
  id: string;
}

/** A place in a sorted list of memories. */
export interface SortedPlace {
  /**
   * The time of the capture or of the opening, empty if never opened; the beginning of the title; or the number of
   * chunks.
   */
  key: string | number;
  id: string;
}

export interface ListedMemory extends Memory {
  /** The beginning of the text. */
  head: string;
  chunkCount: number;
}

export type SortedMemory = ListedMemory & SortedPlace;

export interface StoredMemory extends PresentMemory {
  text: string;
  comments: readonly Comment[];
  chunkCount: number;
  /** Where each turn of a conversation starts in the text. Null if it is none, or if this was not recorded yet. */
  turnStarts: readonly number[] | null;
  /** Whether it does not match its checksum, or did not when it was last checked. */
  isDamaged: boolean;
}

/** A memory in the trash. */
export interface DeletedMemory extends ListedMemory {
  deletedAt: string;
  /** How long it has been in the trash, in milliseconds. Only time that the store has observed counts. */
  deletedFor: number;
}

export interface DeletedCursor {
  deletedAt: string;
  id: string;
}

/** Memories in the trash. */
export interface TrashSelection {
  ids?: readonly string[] | null | undefined;
  /** ISO 8601 in UTC. */
  deletedBefore?: string | null | undefined;
  /** At most so many. */
  limit: number;
}

/** A chunk whose embedding is missing, with the text to embed. */
export interface PendingChunk {
  chunkId: number;
  memoryId: string;
  title: string;
  /** The chunk before it in the same memory; null for the first. */
  previous: string | null;
  text: string;
}

/** A chunk's vector, and the title that was embedded with it. */
export interface ChunkEmbedding {
  chunkId: number;
  title: string;
  /** Of length 1. */
  vector: Float32Array;
  /** The signs of its token vectors, if the model gives them. */
  passage?: Uint8Array | null;
}

/** The requirements for a chunk to count as embedded, besides its embedding. */
export interface EmbeddingNeeds {
  /** Whether it also needs passage vectors. */
  withPassages?: boolean;
}

/** Memories whose last embeddings are stored, and the indexing job that was recorded for them. */
export interface Settlement {
  jobId: string;
  memories: number;
}

export interface FoundUrl {
  urlKey: string;
  id: string;
  title: string;
  capturedAt: string;
  lastCapturedAt: string;
}

/** A saved text of a page. */
export interface PageVersion {
  id: string;
  title: string;
  capturedAt: string;
  /** The length of its text. */
  characters: number;
}

/** A memory that links between notes may mean. */
export interface NamedNote {
  id: string;
  title: string;
  /** The path of its file; null if it is not of a file. */
  fileName: string | null;
  /** Which of the keys that were asked for it has. */
  keys: readonly string[];
}

/** A memory with a link to a note. */
export interface LinkingNote {
  id: string;
  title: string;
  capturedAt: string;
}

/** A memory that a search found. */
export interface FoundMemory extends Memory {
  /** The text of the chunk that was hit. */
  chunk: string;
  /** Where it begins in the text, in UTF-16 code units. */
  chunkOffset: number;
  chunkCount: number;
  /**
   * The page that it is a version of, by its URL key, and how many versions there are. Null if it is not a whole page.
   */
  versionOf: { urlKey: string; versions: number } | null;
}

/** Side effects of a change. */
export interface Recorded {
  /** The indexing job that the change recorded; null when it needs no embeddings. */
  indexingJobId: string | null;
}

/** The result of an update of one memory. */
export interface Updated extends Recorded {
  /** The fields whose values it replaced. */
  fields: readonly (keyof PreviousValues)[];
}

/** For how long things are kept, in milliseconds. */
export interface Retention {
  trashedFor: number;
  answeredFor: number;
  /** Former values in the history. The entries themselves stay. */
  valuesFor: number;
}

export interface PurgeReport {
  /**
   * The longest time between two readings of the clock, in milliseconds, if it is too long to count in full; else 0.
   */
  clockJump: number;
}

/** The memories of all users. Every change of a memory updates its index rows in the same transaction. */
export interface MemoryStore {
  /**
   * Stores memories in order, in one durable transaction, all or none. If the user already has a memory with the same
   * content hash, that memory is marked as captured again, and new tags and a new note are added to it. If a
   * conversation continues a stored one with the same URL key, its new chunks and metadata fields are added to that one
   * (CAP-13). A page to which there is a link takes the place of that (IMP-3). Each memory that is new or has grown
   * puts an event into the outbox for each active plugin that observes captures. If the plan's key already has an
   * answer, writes nothing and returns that answer.
   */
  insert(
    userId: string,
    memories: readonly NewMemory[],
    plan: InsertPlan,
  ): Promise<({ saved: SavedMemory[]; hooksTriggered: number } & Recorded) | { replayed: StoredAnswer }>;
  /** The answer kept under an idempotency key. */
  findAnswer(userId: string, key: string): Promise<StoredAnswer | null>;
  /** Replaces the answer kept under a key, once it is complete. */
  updateAnswer(userId: string, key: string, answer: unknown): Promise<void>;

  find(userId: string, id: string): Promise<StoredMemory | null>;
  /** The live memories with these ids, in any order. */
  findAll(userId: string, ids: readonly string[]): Promise<StoredMemory[]>;
  /** The first spelling of each tag that live memories have, by its key (`tagKey`). */
  spellings(userId: string, keys: readonly string[]): Promise<Map<string, string>>;
  /** The memories whose ids begin like this, newest first. With `trash`, also those in the trash. */
  findByPrefix(
    userId: string,
    prefix: string,
    options: { limit: number; trash: boolean },
  ): Promise<{ id: string; title: string; isDeleted: boolean }[]>;
  /** The memories after a place, newest first unless another order is asked for. */
  list(
    userId: string,
    options: { limit: number; after: SortedPlace | null; filter: MemoryFilter; sort?: Sort | undefined },
  ): Promise<SortedMemory[]>;
  /** The memories of search hits. Leaves out memories deleted since the search. */
  readHits(userId: string, hits: readonly { memoryId: string; chunkId: number }[]): Promise<Map<string, FoundMemory>>;
  /** The newest memory of each URL key. */
  lookup(userId: string, urlKeys: readonly string[]): Promise<FoundUrl[]>;
  /** The live memories with a URL key, newest first. */
  withUrl(userId: string, urlKey: string, limit: number): Promise<FoundUrl[]>;
  /** The live whole pages with a URL key, which are versions of one another, newest first. */
  pageVersions(userId: string, urlKey: string, limit: number): Promise<PageVersion[]>;
  /** The live memories whose file or title has one of these keys (`noteKey`), in the order of their ids. */
  notesNamed(userId: string, keys: readonly string[], limit: number): Promise<NamedNote[]>;
  /** The live memories that link to a note with one of these keys, newest first. */
  notesLinkingTo(userId: string, keys: readonly string[], limit: number): Promise<LinkingNote[]>;
  /** The live memories whose titles begin with a text, without regard to case and accents, by title. */
  titlesBeginningWith(userId: string, text: string, limit: number): Promise<LinkingNote[]>;
  /**
   * The titles of live memories of a site: of the `limit` that were created first, and as many that were created last.
   */
  titlesOfSite(userId: string, site: string, limit: number): Promise<string[]>;
  /** The ids of all memories that match, newest first. */
  matching(userId: string, filter: MemoryFilter): Promise<string[]>;
  /** How many live memories are in each place. Read from counts that the store keeps. */
  placeCounts(userId: string): Promise<PlaceCounts>;
  /** How many memories match, by each of their facts; at most `limit` values of each. */
  counts(userId: string, filter: MemoryFilter, limit: number): Promise<CountsAnswer>;
  /** The trash after the cursor, the last deleted first. */
  listTrash(
    userId: string,
    options: { now: string; limit: number; after: DeletedCursor | null },
  ): Promise<DeletedMemory[]>;
  /** A memory in the trash with its text; null if it is not there. */
  findDeleted(userId: string, id: string, now: string): Promise<(DeletedMemory & { text: string }) | null>;
  /** Live memories that had a text with one of these hashes until it was changed, unless a live one has it now. */
  withPreviousText(userId: string, contentHashes: readonly string[]): Promise<{ contentHash: string; id: string }[]>;
  /**
   * Memories in the trash that have one of these URL keys, or have or had one of these hashes, unless a live one has
   * it.
   */
  deletedAmong(
    userId: string,
    known: { contentHashes: readonly string[]; urlKeys: readonly string[] },
  ): Promise<{ contentHash: string; urlKey: string | null }[]>;
  /** How many memories are in the trash. */
  countTrash(userId: string): Promise<number>;

  /**
   * Changes the given fields, or those that a function returns for the current memory. A new title or text drops the
   * embeddings, and records the indexing job. Null when unknown. `duplicate`: another memory has the new text already.
   */
  update(
    userId: string,
    id: string,
    change: MemoryChange | ((present: PresentMemory) => MemoryChange),
    options: ChangeOptions,
  ): Promise<Updated | 'duplicate' | null>;
  /** Moves a memory to the trash and out of every index. False when unknown. */
  trash(userId: string, id: string, now: string, changeMark?: ChangeMark): Promise<boolean>;
  /**
   * Takes a memory out of the trash, and records the indexing job. `duplicate`:
   * its content has been captured again since.
   */
  restore(userId: string, id: string, options: ChangeOptions): Promise<Recorded | 'duplicate' | 'unknown'>;
  /**
   * Applies a change to memories in one transaction. Returns the ids of changed memories. Skips unknown memories,
   * memories that the change does not affect,
   * and memories that cannot be restored or edited because another memory has the same content.
   */
  changeAll(userId: string, ids: readonly string[], change: BulkChange, options: BulkOptions): Promise<string[]>;
  /**
   * Permanently deletes memories that are in the trash, the first deleted first, in one transaction. Returns how many.
   */
  emptyTrash(userId: string, selection: TrashSelection): Promise<number>;

  /**
   * Stores embeddings, which replace earlier ones of the same chunk and model. Skips chunks that no longer exist or are
   * in the trash, and chunks whose memory's title differs from the embedded title. `settles` takes memories off their
   * indexing job in the same transaction, if that job covers only inline embedding; the job is removed with its last
   * memory. Throws EMBEDDING_FAILED if the dimensions differ from the model's stored vectors, or a number is not
   * finite.
   */
  saveEmbeddings(
    userId: string,
    modelId: string,
    embeddings: readonly ChunkEmbedding[],
    settles?: Settlement | null,
  ): Promise<void>;
  /** Removes the embeddings of all other models, if this model's cover every live memory. */
  removePreviousEmbeddings(userId: string, modelId: string, signal?: AbortSignal): Promise<void>;
  /** How many live memories there are, and how many have all their embeddings of the model. */
  countEmbedded(
    userId: string,
    modelId: string | null,
    needs?: EmbeddingNeeds,
  ): Promise<{ total: number; withEmbeddings: number }>;
  hasEmbeddings(userId: string, modelId: string, id: string, needs?: EmbeddingNeeds): Promise<boolean>;
  /**
   * Chunks without an embedding of the model, for up to `memories` memories: first chunks that no model has embedded,
   * the oldest first, then chunks that other models have embedded. Skips the first `skip` chunks.
   */
  pendingChunks(
    userId: string,
    modelId: string,
    memories: number,
    needs?: EmbeddingNeeds,
    skip?: number,
  ): Promise<PendingChunk[]>;
  /** How many chunks lack an embedding of the model. */
  countPendingChunks(userId: string, modelId: string, needs?: EmbeddingNeeds): Promise<number>;
  /** The same as {@link pendingChunks} for one memory. */
  pendingChunksOf(userId: string, modelId: string, id: string, needs?: EmbeddingNeeds): Promise<PendingChunk[]>;

  /**
   * The tags of a user's memories with the number of memories and the time of the last of these, the most frequent
   * first.
   */
  tags(userId: string, limit: number): Promise<{ tag: string; count: number; newestAt: string }[]>;
  /**
   * The tags whose keys contain a text: first those that begin with it, then those with a part that does, each with the
   * tags of the newest memories first.
   */
  completeTags(userId: string, text: string, limit: number): Promise<string[]>;

  /** How many live memories have each of these tags or a tag below it, by the keys (`branchKey`). */
  branchCounts(userId: string, branches: readonly string[]): Promise<Map<string, number>>;

  /** Users that have any memory. */
  users(): Promise<string[]>;
  /**
   * Permanently removes memories that have been in the trash, and answers and former values that have been kept, for
   * longer than these times. Only time that the store has observed counts: at most a day between two readings of the
   * clock. If any two readings since the last purge were further apart, nothing is removed this time.
   */
  purge(options: { now: string } & Retention): Promise<PurgeReport>;
}
