import type { Core } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

export function reindexRoutes(app: App, { indexing }: Core): void {
  bindOperation(app, 'reindexState', ({ identity: { userId } }) => indexing.state(userId));
  bindOperation(app, 'reindex', async ({ identity: { userId }, body, reply }) => {
    if (body?.runNow === false) {
      reply.code(202);
      return indexing.queue(userId);
    }
    return indexing.reindex(userId, { batchSize: body?.batchSize ?? undefined });
  });
}
