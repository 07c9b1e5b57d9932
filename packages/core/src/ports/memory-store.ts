import type { Memory, MemoryFilter, NewMemory } from '../memory.js';
import type { IndexingDraft } from './indexing-job-store.js';
import type { Lease } from './lease-store.js';

/** How one memory was saved. Unless it was created, the fields are those of the existing memory. */
export interface SavedMemory extends Pick<Memory, 'id' | 'title' | 'url' | 'sourceType' | 'sourceApp' | 'captureMode'> {
  /** `updated`: new turns were added to a conversation. */
  status: 'created' | 'duplicate' | 'updated';
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
  /** The answer to keep, made inside the transaction from what was saved. */
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
  /** The lease that protects the work. Throws {@link LeaseLostError} when it is lost. */
  under?: Lease | undefined;
}

/** Changes of a memory. Fields that are missing or undefined stay as they are. */
export interface MemoryChange {
  title?: string | undefined;
  tags?: readonly string[] | undefined;
  note?: string | null | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface MemoryCursor {
  capturedAt: string;
  id: string;
}

export interface ListedMemory extends Memory {
  /** The beginning of the text. */
  head: string;
}

export interface StoredMemory extends Memory {
  text: string;
  chunkCount: number;
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

/** What a change also recorded. */
export interface Recorded {
  /** The indexing job that the change recorded; null when it needs no embeddings. */
  indexingJobId: string | null;
}

export interface PurgeReport {
  /** The longest time between two readings of the clock, in milliseconds, if it is too long to count in full; else 0. */
  clockJump: number;
}

/** The memories of all users. Every change of a memory updates its index rows in the same transaction. */
export interface MemoryStore {
  /**
   * Stores memories in order, in one durable transaction, all or none. If the user already has a memory with the same
   * content hash, that memory is marked as captured again, and new tags and a new note are added to it. If a conversation
   * continues a stored one with the same URL key, its new chunks and metadata fields are added to that one (CAP-13). Each
   * memory that is new or has grown puts an event into the outbox for each active plugin that observes captures.
   * If the plan's key already has an answer, writes nothing and returns that answer.
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
  /** The memories after the cursor, newest first. */
  list(
    userId: string,
    options: { limit: number; after: MemoryCursor | null; filter: MemoryFilter },
  ): Promise<ListedMemory[]>;
  /** The memories of search hits, with the text of the chunk that was hit. Leaves out memories deleted meanwhile. */
  readHits(
    userId: string,
    hits: readonly { memoryId: string; chunkId: number }[],
  ): Promise<Map<string, Memory & { chunk: string }>>;
  /** The newest memory of each URL key. */
  lookup(userId: string, urlKeys: readonly string[]): Promise<FoundUrl[]>;

  /**
   * Changes the given fields, or those that a function returns for the current memory. A new title drops the embeddings,
   * which were made with the old one, and records the indexing job. Null when unknown. Throws {@link LeaseLostError} when the
   * lease `under` is lost.
   */
  update(
    userId: string,
    id: string,
    change: MemoryChange | ((present: Memory) => MemoryChange),
    options: { now: string; indexing: IndexingDraft; under?: Lease | undefined },
  ): Promise<Recorded | null>;
  /** Moves a memory to the trash and out of every index. False when unknown. */
  trash(userId: string, id: string, now: string): Promise<boolean>;
  /** Takes a memory out of the trash, and records the indexing job. `duplicate`: its content was captured again meanwhile. */
  restore(
    userId: string,
    id: string,
    options: { now: string; indexing: IndexingDraft },
  ): Promise<Recorded | 'duplicate' | 'unknown'>;

  /**
   * Stores embeddings, which replace earlier ones of the same chunk and model. Skips chunks that no longer exist or are in the
   * trash, and those whose memory's title differs from the one that was embedded. `settles` takes memories off their indexing
   * job in the same transaction, if that job covers only inline embedding; the job is removed with its last memory. Throws
   * EMBEDDING_FAILED if the dimensions are not those of the model's stored vectors, or a number is not finite.
   */
  saveEmbeddings(
    userId: string,
    modelId: string,
    embeddings: readonly ChunkEmbedding[],
    settles?: Settlement | null,
  ): Promise<void>;
  /** Removes the embeddings of all other models, if this model's cover every live memory. */
  removeFormerEmbeddings(userId: string, modelId: string, signal?: AbortSignal): Promise<void>;
  /** How many live memories there are, and how many have all their embeddings of the model. */
  countEmbedded(userId: string, modelId: string | null): Promise<{ total: number; withEmbeddings: number }>;
  hasEmbeddings(userId: string, modelId: string, id: string): Promise<boolean>;
  /** The chunks without an embedding of the model, for the oldest `memories` memories that have such chunks. */
  pendingChunks(userId: string, modelId: string, memories: number): Promise<PendingChunk[]>;
  /** How many chunks lack an embedding of the model. */
  countPendingChunks(userId: string, modelId: string): Promise<number>;
  /** The same as pendingChunks for one memory. */
  pendingChunksOf(userId: string, modelId: string, id: string): Promise<PendingChunk[]>;

  /** The tags of a user's memories with the number of memories, the most frequent first. */
  tags(userId: string, limit: number): Promise<{ tag: string; count: number }[]>;

  /** The ids of live memories that start with the prefix, newest first. */
  idsWithPrefix(userId: string, prefix: string, limit: number): Promise<string[]>;

  /** Users that have any memory. */
  users(): Promise<string[]>;
  /**
   * Permanently removes memories that have been in the trash, and answers that have been kept, for longer than these times in
   * milliseconds. Only time that the store has observed counts: at most a day between two readings of the clock. If any two
   * readings since the last purge were further apart, nothing is removed this time.
   */
  purge(options: { now: string; trashedFor: number; answeredFor: number }): Promise<PurgeReport>;
}
