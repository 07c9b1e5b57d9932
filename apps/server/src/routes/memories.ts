import type { MemoryPatch } from '@recollect/contract';
import { type Core, readFilter } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** MEM-1 to MEM-8: single memories, and what is known about them. */
export function memoryRoutes(app: App, { memories, trash }: Core): void {
  bindOperation(app, 'listMemories', ({ identity: { userId }, query: { limit, cursor, ...fields } }) =>
    memories.list(userId, {
      filter: readFilter(fields),
      limit,
      cursor,
    }),
  );
  bindOperation(app, 'lookupMemories', ({ identity: { userId }, body }) => memories.lookup(userId, body.urls));
  bindOperation(app, 'countMemories', ({ identity: { userId }, query }) => memories.counts(userId, readFilter(query)));
  bindOperation(app, 'getMemory', ({ identity: { userId }, parameters }) => memories.get(userId, parameters.id));
  bindOperation(app, 'relatedMemories', ({ identity: { userId }, parameters, query }) =>
    memories.related(userId, parameters.id, query.limit),
  );
  bindOperation(app, 'memoryHistory', ({ identity: { userId }, parameters }) =>
    memories.history(userId, parameters.id),
  );
  bindOperation(app, 'updateMemory', ({ identity: { userId }, admission: { actor }, parameters, body }) =>
    memories.update(userId, parameters.id, body as MemoryPatch, actor),
  );
  bindOperation(app, 'deleteMemory', async ({ identity: { userId }, admission: { actor }, parameters }) => {
    await memories.remove(userId, parameters.id, actor);
    return undefined;
  });
  bindOperation(app, 'restoreMemory', ({ identity: { userId }, admission: { actor }, parameters }) =>
    memories.restore(userId, parameters.id, actor),
  );
  bindOperation(app, 'listTrash', ({ identity: { userId }, query }) => trash.list(userId, query));
  bindOperation(app, 'emptyTrash', ({ identity: { userId }, body }) => trash.empty(userId, body ?? {}));
}
