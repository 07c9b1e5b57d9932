import type { ListAnswer, LookupAnswer, MemoryDetail, MemoryPatch, MemorySummary } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { withoutNul } from '../capture/choose-content.js';
import { cleanTags } from '../capture/normalise-capture.js';
import { urlKey } from '../capture/url-key.js';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import { embedChunks } from '../indexing/embed-chunks.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import type { Memory, MemoryFilter } from '../memory.js';
import type { PurgeReport } from '../ports/index.js';
import { makeExcerpt } from '../retrieval/make-excerpt.js';
import { decodeCursor, encodeCursor } from './cursor.js';

const DAY = 86_400_000;
/** Completion searches this many of the most frequent tags. */
const TAGS = 1_000;

export type MemoriesPorts = Pick<CorePorts, 'memories' | 'indexingJobs' | 'embeddingModel' | 'clock'>;

interface ListOptions {
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  filter?: MemoryFilter | undefined;
}

export interface Memories {
  /** Newest first. */
  list(userId: string, options?: ListOptions): Promise<ListAnswer>;
  /** Throws NOT_FOUND. */
  get(userId: string, id: string): Promise<MemoryDetail>;
  /** Throws NOT_FOUND. */
  update(userId: string, id: string, patch: MemoryPatch): Promise<MemoryDetail>;
  /** Moves to the trash. Throws NOT_FOUND. */
  remove(userId: string, id: string): Promise<void>;
  /** Takes out of the trash. Throws NOT_FOUND, or MEMORY_DUPLICATE if the same content was captured again. */
  restore(userId: string, id: string): Promise<MemoryDetail>;
  lookup(userId: string, urls: readonly string[]): Promise<LookupAnswer>;
  /** At most `limit` ids or tags that start with the prefix, ignoring case. */
  complete(userId: string, kind: 'id' | 'tag', prefix: string, limit: number): Promise<string[]>;
  /**
   * Permanently removes memories that have been in the trash, and answers kept for retries, for over 30 days. Only days on
   * which the store was in use count.
   */
  purge(): Promise<PurgeReport>;
}

/**
 * Makes the verbs that read and change stored memories.
 *
 * @example
 * const memories = createMemories({ ...storage, embeddingModel, clock: systemClock });
 * const { memories: page, nextCursor } = await memories.list('local', { limit: 20 });
 */
export function createMemories(ports: MemoriesPorts): Memories {
  const { memories, clock } = ports;
  const now = () => clock.now().toISOString();

  const verbs: Memories = {
    async list(userId, { limit = limits.memories.page.default, cursor, filter = {} } = {}) {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const listed = await memories.list(userId, { limit: limit + 1, after, filter });
      const page = listed.slice(0, limit);
      const last = page.at(-1);
      return {
        memories: page.map((memory) => ({ ...summaryOf(memory), excerpt: makeExcerpt(memory.head, []) })),
        nextCursor: listed.length > limit && last !== undefined ? encodeCursor(last) : null,
      };
    },

    async get(userId, id) {
      const memory = await memories.find(userId, id);
      if (memory === null) throw unknownMemory();
      const model = ports.embeddingModel?.id ?? null;
      const embedded = model !== null && (await memories.hasEmbeddings(userId, model, id));
      return {
        ...summaryOf(memory),
        text: memory.text,
        metadata: { ...memory.metadata },
        page: { ...memory.page },
        chunks: memory.chunkCount,
        embedding: { state: model === null ? 'off' : embedded ? 'embedded' : 'pending', model },
      };
    },

    async update(userId, id, { title, tags, note }) {
      const cleanTitle = title === undefined ? undefined : withoutNul(title).trim();
      if (cleanTitle === '') {
        const errors = [{ pointer: '/title', message: 'must have at least one character that is not white space' }];
        throw new RecollectError(
          'VALIDATION_FAILED',
          'A title cannot be blank. Leave it out to keep the current one.',
          { errors },
        );
      }
      const change = {
        title: cleanTitle,
        tags: tags && cleanTags(tags),
        note: note === undefined ? undefined : withoutNul(note ?? '').trim() || null,
      };
      const indexing = draftIndexing(ports, { isInline: true });
      const updated = await memories.update(userId, id, change, { now: now(), indexing });
      if (updated === null) throw unknownMemory();
      if (updated.indexingJobId !== null) await embedAgain(ports, userId, id, updated.indexingJobId);
      return verbs.get(userId, id);
    },

    async remove(userId, id) {
      if (!(await memories.trash(userId, id, now()))) throw unknownMemory();
    },

    async restore(userId, id) {
      const indexing = draftIndexing(ports, { isInline: true });
      const outcome = await memories.restore(userId, id, { now: now(), indexing });
      if (outcome === 'unknown') throw new RecollectError('NOT_FOUND', 'There is no memory with this id in the trash.');
      if (outcome === 'duplicate') {
        throw new RecollectError(
          'MEMORY_DUPLICATE',
          'The same text from the same URL has been captured again, so this memory stays in the trash.',
        );
      }
      await embedAgain(ports, userId, id, outcome.indexingJobId);
      return verbs.get(userId, id);
    },

    async lookup(userId, urls) {
      const keyOf = new Map(urls.map((url) => [url, urlKey(url)]));
      const found = await memories.lookup(
        userId,
        [...keyOf.values()].filter((key) => key !== null),
      );
      const byKey = new Map(found.map(({ urlKey: key, ...memory }) => [key, memory]));
      return {
        found: [...keyOf].flatMap(([url, key]) => {
          const memory = key === null ? undefined : byKey.get(key);
          return memory === undefined ? [] : [{ url, ...memory }];
        }),
      };
    },

    async complete(userId, kind, prefix, limit) {
      if (kind === 'id') return memories.idsWithPrefix(userId, prefix.toLowerCase(), limit);
      const tags = await memories.tags(userId, TAGS);
      const begins = prefix.toLowerCase();
      return tags
        .map(({ tag }) => tag)
        .filter((tag) => tag.toLowerCase().startsWith(begins))
        .slice(0, limit);
    },

    purge: () =>
      memories.purge({
        now: now(),
        trashedFor: limits.retention.trashDays * DAY,
        answeredFor: limits.retention.idempotencyDays * DAY,
      }),
  };
  return verbs;
}

/**
 * Makes the embeddings that a change dropped. The change is stored together with its indexing job, so a failure here does not
 * fail the change: a runner makes the embeddings later.
 */
async function embedAgain(ports: MemoriesPorts, userId: string, id: string, jobId: string | null): Promise<void> {
  const { memories, indexingJobs, embeddingModel } = ports;
  if (embeddingModel === null) return;
  try {
    const chunks = await memories.pendingChunksOf(userId, embeddingModel.id, id);
    if (chunks.length === 0) return;
    if (chunks.length > limits.capture.inlineChunks) {
      const { total, withEmbeddings } = await memories.countEmbedded(userId, embeddingModel.id);
      await indexingJobs.queue(userId, { status: 'pending', remaining: total - withEmbeddings });
      return;
    }
    const signal = AbortSignal.timeout(limits.capture.inlineEmbeddingMs);
    await embedChunks({ embeddingModel, memories }, userId, chunks, { signal, jobId });
  } catch {
    // The job falls due anyway, and its runner records the error.
  }
}

function summaryOf(memory: Memory): Omit<MemorySummary, 'excerpt'> {
  const { id, title, url, sourceType, sourceApp, captureMode, note, capturedAt, lastCapturedAt, updatedAt } = memory;
  return {
    id,
    title,
    url,
    sourceType,
    sourceApp,
    captureMode,
    tags: [...memory.tags],
    note,
    capturedAt,
    lastCapturedAt,
    updatedAt,
  };
}

function unknownMemory(): RecollectError {
  return new RecollectError('NOT_FOUND', 'There is no memory with this id.');
}
