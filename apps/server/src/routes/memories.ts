import type { MemoryPatch } from '@recollect/contract';
import { type Core, readFilter } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

export function memoryRoutes(app: App, { memories }: Core): void {
  bindOperation(app, 'listMemories', ({ identity: { userId }, query: { limit, cursor, ...fields } }) =>
    memories.list(userId, {
      filter: readFilter(fields),
      limit,
      cursor,
    }),
  );
  bindOperation(app, 'lookupMemories', ({ identity: { userId }, body }) => memories.lookup(userId, body.urls));
  bindOperation(app, 'getMemory', ({ identity: { userId }, parameters }) => memories.get(userId, parameters.id));
  bindOperation(app, 'updateMemory', ({ identity: { userId }, parameters, body }) =>
    memories.update(userId, parameters.id, body as MemoryPatch),
  );
  bindOperation(app, 'deleteMemory', async ({ identity: { userId }, parameters }) => {
    await memories.remove(userId, parameters.id);
    return undefined;
  });
  bindOperation(app, 'restoreMemory', ({ identity: { userId }, parameters }) =>
    memories.restore(userId, parameters.id),
  );
}
