import type { Actor, Capture, QueryAnswer } from '@recollect/contract';
import { flattenCaptures, pointerInBody } from '@recollect/contract/capture-body';
import { limits } from '@recollect/contract/limits';
import type { CaptureUseCase } from '../capture/capture.js';
import { RecollectError } from '../error.js';
import type { Highlights } from '../highlights/highlights.js';
import type { BulkChanges } from '../memories/bulk-changes.js';
import type { ChangeRuns, WatchOptions } from '../memories/change-runs.js';
import type { Memories } from '../memories/memories.js';
import type { Trash } from '../memories/trash.js';
import { readFilter, readListFilter, readTimeZone } from '../retrieval/parse-query.js';
import type { QueryOptions, QueryUseCase } from '../retrieval/query.js';
import type { SavedSearches } from '../saved-searches.js';

import type { SearchTestUseCase } from '../search-test/search-test.js';
import type { TagLooks } from '../tag-looks.js';
import type { Imports } from '../transfer/imports.js';
import type { OperationHandlers, Reply } from './operation-call.js';

type MemoryOperation =
  | 'listMemories'
  | 'lookupMemories'
  | 'countMemories'
  | 'countPlaces'
  | 'findIds'
  | 'getMemory'
  | 'relatedMemories'
  | 'memoryHistory'
  | 'memoryState'
  | 'restoreState'
  | 'completeTitles'
  | 'linkedFrom'
  | 'memoryLinks'
  | 'memoryVersions'
  | 'updateMemory'
  | 'deleteMemory'
  | 'restoreMemory'
  | 'listTrash'
  | 'trashedMemory'
  | 'emptyTrash';

/** Number of tags or titles that complete the typed text, unless the client asks for another number. */
const COMPLETIONS = 8;

/** MEM-1 to MEM-8: single memories and their facts. */
export function memoryOperations(memories: Memories, trash: Trash): OperationHandlers<MemoryOperation> {
  return {
    listMemories: ({ userId, query: { limit, cursor, sort, ...fields } }) =>
      memories.list(userId, { filter: readListFilter(fields), limit, cursor, sort }),
    async lookupMemories({ userId, body: { urls, highlights, site } }) {
      const answer = await memories.lookup(userId, urls, { highlights });
      if (site === undefined) return answer;
      const { memories: listed } = await memories.list(userId, {
        filter: readFilter({ site }),
        limit: limits.memories.lookupSite,
      });
      return { ...answer, ofSite: listed.map(({ id, title, url, capturedAt }) => ({ id, title, url, capturedAt })) };
    },
    countMemories: ({ userId, query }) => memories.counts(userId, readListFilter(query)),
    countPlaces: ({ userId }) => memories.placeCounts(userId),
    findIds: ({ userId, query }) => memories.byPrefix(userId, query.prefix),
    getMemory: ({ userId, parameters }) => memories.get(userId, parameters.id),
    relatedMemories: ({ userId, parameters, query }) => memories.related(userId, parameters.id, query.limit),
    memoryHistory: ({ userId, parameters }) => memories.history(userId, parameters.id),
    memoryState: ({ userId, parameters: { id, number } }) => memories.state(userId, id, toNumber(number)),
    restoreState: ({ userId, actor, parameters: { id, number } }) =>
      memories.restoreState(userId, id, toNumber(number), actor),
    completeTitles: ({ userId, body: { prefix, limit } }) =>
      memories.completeTitles(userId, prefix, limit ?? COMPLETIONS),
    linkedFrom: ({ userId, parameters, query }) => memories.linkedFrom(userId, parameters.id, query.limit),
    memoryLinks: ({ userId, parameters }) => memories.links(userId, parameters.id),
    memoryVersions: ({ userId, parameters }) => memories.versions(userId, parameters.id),
    updateMemory: ({ userId, actor, parameters, body }) => memories.update(userId, parameters.id, body, actor),
    async deleteMemory({ userId, actor, parameters }) {
      await memories.remove(userId, parameters.id, actor);
      return undefined;
    },
    restoreMemory: ({ userId, actor, parameters }) => memories.restore(userId, parameters.id, actor),
    listTrash: ({ userId, query }) => trash.list(userId, query),
    trashedMemory: ({ userId, parameters }) => trash.get(userId, parameters.id),
    emptyTrash: ({ userId, body }) => trash.empty(userId, body ?? {}),
  };
}

/** The number of a change in an address; NaN, which no change has, for anything else. */
function toNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

export function captureOperation(capture: CaptureUseCase): OperationHandlers<'capture'> {
  return {
    async capture({ userId, actor, body, headers, reply }) {
      const idempotencyKey = readKey(headers['idempotency-key']);
      const captures = flattenCaptures(body);
      const by = isOfBookmarklet(actor, captures) ? { ...actor, client: 'bookmarklet' as const } : actor;
      const { answer, failure, replayed } = await capture(userId, captures, { idempotencyKey, actor: by }).catch(
        (error) => {
          throw error instanceof RecollectError ? withPointers(error, body) : error;
        },
      );
      // The interface answers a failed embedding with 500, although the captures are saved (CAP-10).
      if (failure !== null) {
        throw new RecollectError(
          'EMBEDDING_FAILED',
          `${failure.reason} The captures are saved and found by word. An indexing job makes their embeddings later.`,
          { cause: failure.cause, extension: { saved: true, ...answer } },
        );
      }
      if (replayed) reply.header('idempotency-replayed', 'true');
      return answer;
    },
  };
}

/** The bookmarklet's page is also a page of this server. Its captures say so. */
function isOfBookmarklet({ client }: Actor, captures: readonly (Capture | null)[]): boolean {
  return client === 'web' && captures.every((capture) => capture?.metadata?.via === 'bookmarklet');
}

/** The error with pointers into the body as it was sent, in any of the four shapes. */
function withPointers(error: RecollectError, body: unknown): RecollectError {
  if (error.errors.length === 0) return error;
  const errors = error.errors.map(({ pointer, message }) => ({ pointer: pointerInBody(body, pointer), message }));
  return new RecollectError(error.code, error.message, { errors, extension: { ...error.extension }, cause: error });
}

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const { idempotencyKeyLength: most } = limits.capture;
  // Node joins repeated headers with a comma, so a comma may mean two keys.
  if (typeof header === 'string' && /^[!-+\--~]+$/.test(header) && header.length <= most) return header;
  throw new RecollectError(
    'VALIDATION_FAILED',
    `Send one Idempotency-Key of 1 to ${most} visible ASCII characters without a comma.`,
  );
}

type ChangeOperation =
  | 'changeMemories'
  | 'changeState'
  | 'undoChange'
  | 'listTags'
  | 'changeTagLook'
  | 'completeTags'
  | 'renameTags'
  | 'removeTags';

interface ChangeUseCases {
  bulk: BulkChanges;
  changeRuns: ChangeRuns;
  memories: Memories;
  tagLooks: TagLooks;
}

/** Changes of many memories, and of tags. */
export function changeOperations({
  bulk,
  changeRuns,
  memories,
  tagLooks,
}: ChangeUseCases): OperationHandlers<ChangeOperation> {
  /** Answers 202 with the state of a change that runs in the background. */
  const begin = async <T extends object>(
    { userId, reply }: { userId: string; reply: Reply },
    change: (watch: WatchOptions) => Promise<T>,
  ) => {
    const answer = await changeRuns.begin(userId, change);
    if ('state' in answer) reply.code(202);
    return answer;
  };
  return {
    changeMemories: ({ userId, actor, body, reply }) =>
      begin({ userId, reply }, (watch) => bulk.change(userId, body, actor, watch)),
    changeState: ({ userId, parameters }) => changeRuns.find(userId, parameters.id),
    undoChange: ({ userId, actor, parameters, query, reply }) =>
      begin({ userId, reply }, (watch) => bulk.undo(userId, parameters.id, actor, { ...query, ...watch })),
    listTags: ({ userId }) => bulk.tags(userId),
    changeTagLook: ({ userId, body }) => tagLooks.change(userId, body),
    completeTags: async ({ userId, body: { prefix, limit } }) => ({
      tags: await memories.complete(userId, 'tag', prefix, limit ?? COMPLETIONS),
    }),
    renameTags: ({ userId, actor, body, reply }) =>
      begin({ userId, reply }, (watch) => bulk.renameTags(userId, body.tags, body.to, actor, watch)),
    removeTags: ({ userId, actor, body, reply }) =>
      begin({ userId, reply }, (watch) => bulk.removeTags(userId, body.tags, actor, watch)),
  };
}

/** EXP-10, IMP-12: the imports, which can be undone. */
export function importOperations(imports: Pick<Imports, 'list'>): OperationHandlers<'listImports'> {
  return { listImports: ({ userId }) => imports.list(userId) };
}

type HighlightOperation =
  | 'listHighlights'
  | 'createHighlight'
  | 'updateHighlight'
  | 'deleteHighlight'
  | 'highlightsToReview'
  | 'reviewHighlight';

/** Passages that the user marked. */
export function highlightOperations(highlights: Highlights): OperationHandlers<HighlightOperation> {
  return {
    listHighlights: ({ userId, query: { q, ...options } }) => highlights.list(userId, { ...options, query: q }),
    createHighlight: ({ userId, parameters, body }) => highlights.create(userId, parameters.id, body),
    updateHighlight: ({ userId, parameters, body }) => highlights.update(userId, parameters.id, body),
    async deleteHighlight({ userId, parameters }) {
      await highlights.remove(userId, parameters.id);
      return undefined;
    },
    highlightsToReview: ({ userId, query: { timeZone } }) => highlights.review(userId, readTimeZone(timeZone)),
    reviewHighlight: ({ userId, parameters, body: { decision, timeZone } }) =>
      highlights.decide(userId, parameters.id, decision, readTimeZone(timeZone)),
  };
}

export function queryOperations({
  query,
  searchTest,
}: {
  query: QueryUseCase;
  searchTest: SearchTestUseCase;
}): OperationHandlers<'query' | 'queryByGet' | 'testSearch'> {
  const answer = async (reply: Reply, userId: string, text: string, options: QueryOptions): Promise<QueryAnswer> => {
    const outcome = await query(userId, text, options);
    reply.header('recollect-retrieval', outcome.retrieval);
    return outcome.answer;
  };
  return {
    query({ userId, body, reply, signal }) {
      const { query: text, limit, minScore, asTyped, prefix, careful, timeZone, ...fields } = body ?? {};
      const options = {
        limit: limit ?? undefined,
        minScore: minScore ?? undefined,
        asTyped: asTyped ?? undefined,
        prefix: prefix ?? undefined,
        careful: careful ?? undefined,
        timeZone: readTimeZone(timeZone),
      };
      return answer(reply, userId, text ?? '', { filter: readFilter({ ...fields, timeZone }), signal, ...options });
    },
    testSearch: ({ userId, signal }) => searchTest(userId, { signal }),
    queryByGet({ userId, query: { q, limit, minScore, asTyped, prefix, careful, ...fields }, reply, signal }) {
      const options = { limit, minScore, asTyped, prefix, careful, timeZone: readTimeZone(fields.timeZone) };
      return answer(reply, userId, q ?? '', { filter: readFilter(fields), signal, ...options });
    },
  };
}

type SavedSearchOperation = 'listSavedSearches' | 'createSavedSearch' | 'updateSavedSearch' | 'deleteSavedSearch';

/** MEM-15: queries that the user keeps. */
export function savedSearchOperations(savedSearches: SavedSearches): OperationHandlers<SavedSearchOperation> {
  return {
    listSavedSearches: ({ userId }) => savedSearches.list(userId),
    createSavedSearch: ({ userId, body }) => savedSearches.create(userId, body),
    updateSavedSearch: ({ userId, parameters, body }) => savedSearches.update(userId, parameters.id, body),
    async deleteSavedSearch({ userId, parameters }) {
      await savedSearches.remove(userId, parameters.id);
      return undefined;
    },
  };
}
