import type { BulkChanges } from '../memories/bulk-changes.js';
import type { ChangeRuns, WatchOptions } from '../memories/change-runs.js';
import type { Memories } from '../memories/memories.js';
import type { OperationHandlers, Reply } from './operation-call.js';

type ChangeOperation =
  | 'changeMemories'
  | 'changeState'
  | 'undoChange'
  | 'listTags'
  | 'completeTags'
  | 'renameTags'
  | 'removeTags';

interface ChangeVerbs {
  bulk: BulkChanges;
  changeRuns: ChangeRuns;
  memories: Memories;
}

/** Number of tags that complete the typed text, unless the client asks for another number. */
const COMPLETIONS = 8;

/** Changes of many memories, and of tags. */
export function changeOperations({ bulk, changeRuns, memories }: ChangeVerbs): OperationHandlers<ChangeOperation> {
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
    completeTags: async ({ userId, body: { prefix, limit } }) => ({
      tags: await memories.complete(userId, 'tag', prefix, limit ?? COMPLETIONS),
    }),
    renameTags: ({ userId, actor, body, reply }) =>
      begin({ userId, reply }, (watch) => bulk.renameTags(userId, body.tags, body.to, actor, watch)),
    removeTags: ({ userId, actor, body, reply }) =>
      begin({ userId, reply }, (watch) => bulk.removeTags(userId, body.tags, actor, watch)),
  };
}
