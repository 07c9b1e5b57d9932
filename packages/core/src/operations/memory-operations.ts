import type { Memories } from '../memories/memories.js';
import type { Trash } from '../memories/trash.js';
import { readListFilter } from '../retrieval/read-filter.js';
import type { OperationHandlers } from './operation-call.js';

type MemoryOperation =
  | 'listMemories'
  | 'lookupMemories'
  | 'countMemories'
  | 'findIds'
  | 'getMemory'
  | 'relatedMemories'
  | 'memoryHistory'
  | 'memoryState'
  | 'restoreState'
  | 'memoryLinks'
  | 'memoryVersions'
  | 'updateMemory'
  | 'deleteMemory'
  | 'restoreMemory'
  | 'listTrash'
  | 'trashedMemory'
  | 'emptyTrash';

/** MEM-1 to MEM-8: single memories and their facts. */
export function memoryOperations(memories: Memories, trash: Trash): OperationHandlers<MemoryOperation> {
  return {
    listMemories: ({ userId, query: { limit, cursor, sort, ...fields } }) =>
      memories.list(userId, { filter: readListFilter(fields), limit, cursor, sort }),
    lookupMemories: ({ userId, body }) => memories.lookup(userId, body.urls),
    countMemories: ({ userId, query }) => memories.counts(userId, readListFilter(query)),
    findIds: ({ userId, query }) => memories.byPrefix(userId, query.prefix),
    getMemory: ({ userId, parameters }) => memories.get(userId, parameters.id),
    relatedMemories: ({ userId, parameters, query }) => memories.related(userId, parameters.id, query.limit),
    memoryHistory: ({ userId, parameters }) => memories.history(userId, parameters.id),
    memoryState: ({ userId, parameters: { id, number } }) => memories.state(userId, id, toNumber(number)),
    restoreState: ({ userId, actor, parameters: { id, number } }) =>
      memories.restoreState(userId, id, toNumber(number), actor),
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
