import type {
  Actor,
  ChangedMemory,
  CountsAnswer,
  HistoryAnswer,
  IdsAnswer,
  LinksAnswer,
  ListAnswer,
  LookupAnswer,
  MemoryDetail,
  MemoryPatch,
  MemoryState,
  PlaceCounts,
  RelatedAnswer,
  Sort,
  VersionsAnswer,
} from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { tagKey } from '@recollect/contract/text';
import { forCaller } from '../drafts/normalise-captures.js';
import { RecollectError } from '../error.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import type { MemoryFilter } from '../memory.js';
import type { Picture, PictureKind } from '../pictures/read-pictures.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { ChangeMark, FoundUrl, LinkingNote, PurgeReport, StoredMemory } from '../ports/index.js';
import { createModelChoice } from '../retrieval/choose-model.js';
import { findRelated } from '../retrieval/find-related.js';
import { makeExcerpt } from '../retrieval/make-excerpt.js';
import { sha256 } from '../text/bytes.js';
import { createId } from '../text/create-id.js';
import { splitTurns } from '../text/turns.js';
import { urlKey } from '../text/url-key.js';
import { completeTitles } from './complete-titles.js';
import { decodePlace, encodePlace } from './cursor.js';
import { warnOfDamage } from './damage-warning.js';
import { type EditOptions, editMemory, type MemoryEdit, replacedText, unknownMemory } from './edit-memory.js';
import { embedAgain } from './embed-again.js';
import { type LookupOptions, lookupUrls } from './lookup-urls.js';
import { readBacklinks, readLinks } from './note-links.js';
import { historyEntryOf, readState } from './states.js';
import { factsOf, summaryOf } from './summary.js';

const DAY = 86_400_000;
/** Ids with the same beginning that are named. */
const SAME_BEGINNING = 10;
/** Other captures of the same address that a memory names. */
const OTHER_CAPTURES = 20;

export type MemoriesPorts = Pick<
  CorePorts,
  | 'memories'
  | 'highlights'
  | 'history'
  | 'pictures'
  | 'vectorIndex'
  | 'textIndex'
  | 'indexingJobs'
  | 'embeddingModel'
  | 'clock'
  | 'integrity'
  | 'newestBackup'
> &
  Partial<Pick<CorePorts, 'previousModels' | 'articleExtractor'>>;

interface ListOptions {
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  filter?: MemoryFilter | undefined;
  /** newest by default. */
  sort?: Sort | undefined;
}

/** The use cases on single memories. `actor` says who changes one; null if unknown. */
export interface Memories {
  /** A page of the memories. Throws VALIDATION_FAILED for a cursor of another order. */
  list(userId: string, options?: ListOptions): Promise<ListAnswer>;
  /** Throws NOT_FOUND. */
  get(userId: string, id: string): Promise<MemoryDetail>;
  /** The memories with these ids that exist, by their ids. */
  present(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredMemory>>;
  /** Throws NOT_FOUND, or MEMORY_DUPLICATE if another memory of the same address has the new text. */
  update(
    userId: string,
    id: string,
    edit: MemoryEdit & Pick<MemoryPatch, 'html' | 'pdf' | 'extract'>,
    actor?: Actor | null,
    options?: EditOptions,
  ): Promise<ChangedMemory>;
  /** Moves to the trash. Throws NOT_FOUND. */
  remove(userId: string, id: string, actor?: Actor | null): Promise<void>;
  /** Takes out of the trash. Throws NOT_FOUND, or MEMORY_DUPLICATE if the same content was captured again. */
  restore(userId: string, id: string, actor?: Actor | null): Promise<ChangedMemory>;
  /** The most similar memories, nearest first; none while the memory has no embeddings. Throws NOT_FOUND. */
  related(userId: string, id: string, limit?: number): Promise<RelatedAnswer>;
  /** The changes of a memory since it was saved, newest first. Throws NOT_FOUND. */
  history(userId: string, id: string): Promise<HistoryAnswer>;
  /** The memory as a change left it: 1 is the first change, and 0 the memory as it was saved. Throws NOT_FOUND. */
  state(userId: string, id: string, number: number): Promise<MemoryState>;
  /**
   * Puts title, tags, note and text back as a change left them, as a new change. Throws NOT_FOUND, or MEMORY_DUPLICATE.
   */
  restoreState(userId: string, id: string, number: number, actor?: Actor | null): Promise<ChangedMemory>;
  /** The memories whose titles begin with a text, and then memories with its words in their titles. */
  completeTitles(userId: string, prefix: string, limit: number): Promise<{ memories: LinkingNote[] }>;
  /** The notes that a memory links to, and the memories that link to it. Throws NOT_FOUND. */
  links(userId: string, id: string): Promise<LinksAnswer>;
  /** The memories that link to a memory, newest first. Throws NOT_FOUND. */
  linkedFrom(userId: string, id: string, limit?: number): Promise<{ memories: LinkingNote[] }>;
  /**
   * The texts that a page had whenever it was saved, newest first; of anything but a page only itself. Throws
   * NOT_FOUND.
   */
  versions(userId: string, id: string): Promise<VersionsAnswer>;
  /** The picture of a memory, or the favicon of its site. Throws NOT_FOUND. */
  picture(userId: string, id: string, kind: PictureKind): Promise<Picture>;
  counts(userId: string, filter?: MemoryFilter): Promise<CountsAnswer>;
  /** How many memories are in the inbox, kept for later, and in the archive. */
  placeCounts(userId: string): Promise<PlaceCounts>;
  lookup(userId: string, urls: readonly string[], options?: LookupOptions): Promise<LookupAnswer>;
  /** The memories, also in the trash, and the changes whose ids begin like this: the first ten of each. */
  byPrefix(userId: string, prefix: string): Promise<IdsAnswer>;
  /** At most `limit` ids that start with the text, or tags that contain it, ignoring case. */
  complete(userId: string, kind: 'id' | 'tag', prefix: string, limit: number): Promise<string[]>;
  /**
   * Permanently removes memories that have been in the trash, and answers that were kept, for over 30 days, and former
   * values that were kept for over `historyDays`. Only days on which the store was in use count.
   */
  purge(): Promise<PurgeReport>;
}

/**
 * Makes the use cases that read and change stored memories.
 *
 * @example
 * const ports = { ...storage, embeddingModel, clock: systemClock, newestBackup: async () => null };
 * const memories = createMemories(ports);
 * const { memories: page, nextCursor } = await memories.list('local', { limit: 20 });
 */
export function createMemories(
  ports: MemoriesPorts,
  { historyDays = limits.retention.historyDays.default }: { historyDays?: number | undefined } = {},
): Memories {
  const { memories, history, clock, embeddingModel, articleExtractor = null } = ports;
  const chooseModel = createModelChoice(ports);
  const now = () => clock.now().toISOString();
  const createChangeMark = (actor: Actor | null): ChangeMark => ({ changeId: createId(clock.now()), actor });
  const find = async (userId: string, id: string) => {
    const memory = await memories.find(userId, id);
    if (memory === null) throw unknownMemory();
    return memory;
  };

  const useCases: Memories = {
    async list(userId, { limit = limits.memories.page.default, cursor, filter = {}, sort = 'newest' } = {}) {
      const after = cursor === undefined ? null : decodePlace(sort, cursor);
      const listed = await memories.list(userId, { limit: limit + 1, after, filter, sort });
      const page = listed.slice(0, limit);
      const last = page.at(-1);
      return {
        memories: page.map(summaryOf),
        nextCursor: listed.length > limit && last !== undefined ? encodePlace(sort, last) : null,
      };
    },

    async get(userId, id) {
      const memory = await find(userId, id);
      const model = embeddingModel?.id ?? null;
      const key = memory.url === null ? null : urlKey(memory.url);
      const [embedded, captures, warning] = await Promise.all([
        model !== null && memories.hasEmbeddings(userId, model, id),
        key === null ? [] : memories.withUrl(userId, key, OTHER_CAPTURES + 1),
        warnOfDamage(ports, userId, memory),
      ]);
      return {
        ...factsOf(memory),
        text: memory.text,
        textHash: memory.contentHash,
        metadata: { ...memory.metadata },
        isLink: memory.isLink,
        page: { ...memory.page },
        chunks: memory.chunkCount,
        comments: [...memory.comments],
        turns: memory.captureMode === 'conversation' ? splitTurns(memory.text, memory.turnStarts) : null,
        savedBy: memory.savedBy,
        otherCaptures: otherCaptures(captures, id),
        embedding: { state: model === null ? 'off' : embedded ? 'embedded' : 'pending', model },
        damaged: warning !== null,
        warning,
      };
    },

    present: async (userId, ids) => new Map((await memories.findAll(userId, ids)).map((memory) => [memory.id, memory])),

    async update(userId, id, { html, pdf, extract, ...edit }, actor = null, options = {}) {
      const urlOf = async () => (await find(userId, id)).url;
      const extractor = forCaller(articleExtractor, userId, actor);
      const text = await replacedText({ text: edit.text, html, pdf, extract }, urlOf, extractor);
      const changeId = await editMemory(ports, userId, id, { ...edit, text }, actor, options);
      return { ...(await useCases.get(userId, id)), changeId };
    },

    async remove(userId, id, actor = null) {
      if (!(await memories.trash(userId, id, now(), createChangeMark(actor)))) throw unknownMemory();
    },

    async restore(userId, id, actor = null) {
      const indexing = draftIndexing(ports, { isInline: true });
      const changeMark = createChangeMark(actor);
      const outcome = await memories.restore(userId, id, { now: now(), indexing, changeMark });
      if (outcome === 'unknown') throw new RecollectError('NOT_FOUND', 'There is no memory with this id in the trash.');
      if (outcome === 'duplicate') {
        throw new RecollectError(
          'MEMORY_DUPLICATE',
          'The same text from the same URL has been captured again, so this memory stays in the trash.',
        );
      }
      await embedAgain(ports, userId, id, outcome.indexingJobId);
      return { ...(await useCases.get(userId, id)), changeId: changeMark.changeId };
    },

    async related(userId, id, limit = limits.memories.related.default) {
      const searched = { ...ports, embeddingModel: await chooseModel(userId) };
      const related = await findRelated(searched, userId, await find(userId, id), limit);
      return {
        related: related.map(({ memory, chunk, similarity }) => ({
          ...factsOf(memory),
          excerpt: makeExcerpt(chunk, [], { isConversation: memory.captureMode === 'conversation' }),
          similarity,
        })),
      };
    },

    async history(userId, id) {
      await find(userId, id);
      const [entries, oldest] = await Promise.all([
        history.ofMemory(userId, id, limits.memories.history),
        history.newestForgotten(userId, id),
      ]);
      return { history: entries.map(historyEntryOf), oldest };
    },

    state: async (userId, id, number) => readState(ports, userId, await find(userId, id), number),

    async restoreState(userId, id, number, actor = null) {
      const memory = await find(userId, id);
      const { title, tags, note, text } = await readState(ports, userId, memory, number);
      const edit = { title, tags, note, text: text === memory.text ? undefined : text };
      return useCases.update(userId, id, edit, actor, { isRestored: true });
    },

    completeTitles: async (userId, prefix, limit) => ({
      memories: await completeTitles(ports, userId, prefix, limit),
    }),

    links: async (userId, id) => readLinks(memories, userId, await find(userId, id)),

    linkedFrom: async (userId, id, limit = limits.memories.page.default) => ({
      memories: await readBacklinks(memories, userId, await find(userId, id), limit),
    }),

    async versions(userId, id) {
      const { title, capturedAt, text, url, captureMode } = await find(userId, id);
      const key = url === null || captureMode !== 'page' ? null : urlKey(url);
      const versions = key === null ? [] : await memories.pageVersions(userId, key, limits.memories.versions);
      return { versions: versions.length > 0 ? versions : [{ id, title, capturedAt, characters: text.length }] };
    },

    async picture(userId, id, kind) {
      const picture = await ports.pictures.find(userId, id, kind);
      // Text that the disk has changed is not shown as the saved text.
      if (picture === null || (await sha256(picture.bytes)) !== picture.hash)
        throw new RecollectError('NOT_FOUND', `This memory has no ${kind}.`);
      return picture;
    },

    placeCounts: (userId) => memories.placeCounts(userId),

    counts: (userId, filter = {}) => memories.counts(userId, filter, limits.memories.counts),

    lookup: (userId, urls, options) => lookupUrls(ports, userId, urls, options),

    async byPrefix(userId, prefix) {
      const [matches, changes] = await Promise.all([
        memories.findByPrefix(userId, prefix, { limit: SAME_BEGINNING, trash: true }),
        history.changesByPrefix(userId, prefix, SAME_BEGINNING),
      ]);
      return { memories: matches, changes };
    },

    async complete(userId, kind, prefix, limit) {
      if (kind === 'id') {
        const matches = await memories.findByPrefix(userId, prefix.toLowerCase(), { limit, trash: false });
        return matches.map(({ id }) => id);
      }
      return memories.completeTags(userId, tagKey(prefix), limit);
    },

    purge: () =>
      memories.purge({
        now: now(),
        trashedFor: limits.retention.trashDays * DAY,
        answeredFor: limits.retention.idempotencyDays * DAY,
        valuesFor: historyDays * DAY,
      }),
  };
  return useCases;
}

function otherCaptures(captures: readonly FoundUrl[], id: string): MemoryDetail['otherCaptures'] {
  return captures
    .filter((capture) => capture.id !== id)
    .slice(0, OTHER_CAPTURES)
    .map(({ id: other, title, capturedAt }) => ({ id: other, title, capturedAt }));
}
