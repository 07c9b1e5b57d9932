import type { ChangeBody } from '@recollect/contract';
import type { BulkChanges } from '../memories/bulk-changes.js';
import type { Memories } from '../memories/memories.js';
import type { OperationHandlers } from './operation-call.js';

type ChangeOperation = 'changeMemories' | 'undoChange' | 'listTags' | 'completeTags' | 'renameTags' | 'removeTags';

/** Tags that complete what is typed, unless the client asks for another number. */
const COMPLETIONS = 8;

/** Changes of many memories, and of tags. */
export function changeOperations(bulk: BulkChanges, memories: Memories): OperationHandlers<ChangeOperation> {
  return {
    changeMemories: ({ userId, actor, body }) => bulk.change(userId, body as ChangeBody, actor),
    undoChange: ({ userId, actor, parameters }) => bulk.undo(userId, parameters.id, actor),
    listTags: ({ userId }) => bulk.tags(userId),
    completeTags: async ({ userId, body: { prefix, limit } }) => ({
      tags: await memories.complete(userId, 'tag', prefix, limit ?? COMPLETIONS),
    }),
    renameTags: ({ userId, actor, body }) => bulk.renameTags(userId, body.tags, body.to, actor),
    removeTags: ({ userId, actor, body }) => bulk.removeTags(userId, body.tags, actor),
  };
}
