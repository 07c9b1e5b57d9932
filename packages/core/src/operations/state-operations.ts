import type { Backups } from '../backups/backups.js';
import type { StatusVerb } from '../health/status.js';
import type { Indexing } from '../indexing/reindex.js';
import type { Models } from '../models.js';
import type { OperationHandlers } from './operation-call.js';

type StateOperation =
  | 'status'
  | 'reindexState'
  | 'reindex'
  | 'getModel'
  | 'chooseModel'
  | 'listBackups'
  | 'createBackup';

interface StateVerbs {
  status: StatusVerb;
  indexing: Indexing;
  models: Models;
  backups: Backups;
}

/** The state of the deployment, its embeddings and its backups. */
export function stateOperations(
  { status, indexing, models, backups }: StateVerbs,
  { version, stopping }: { version: string; stopping: AbortSignal },
): OperationHandlers<StateOperation> {
  return {
    status: async ({ userId }) => ({ version, ...(await status(userId)) }),
    reindexState: ({ userId }) => indexing.state(userId),
    async reindex({ userId, body, reply }) {
      if (body?.runNow === false) {
        reply.code(202);
        return indexing.queue(userId);
      }
      return indexing.reindex(userId, { batchSize: body?.batchSize ?? undefined });
    },
    getModel: async () => models.state(),
    async chooseModel({ body, reply }) {
      const { state, isChanging } = await models.choose(body.model);
      if (isChanging) reply.code(202);
      return state;
    },
    listBackups: () => backups.list(),
    createBackup: () => backups.create({ signal: stopping }),
  };
}
