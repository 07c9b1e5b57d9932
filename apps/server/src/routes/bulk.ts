import type { ChangeBody } from '@recollect/contract';
import type { Core } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** Changes of many memories, and of tags. */
export function bulkRoutes(app: App, { bulk }: Core): void {
  bindOperation(app, 'changeMemories', ({ identity: { userId }, admission: { actor }, body }) =>
    bulk.change(userId, body as ChangeBody, actor),
  );
  bindOperation(app, 'undoChange', ({ identity: { userId }, admission: { actor }, parameters }) =>
    bulk.undo(userId, parameters.id, actor),
  );
  bindOperation(app, 'listTags', ({ identity: { userId } }) => bulk.tags(userId));
  bindOperation(app, 'renameTags', ({ identity: { userId }, admission: { actor }, body }) =>
    bulk.renameTags(userId, body.tags, body.to, actor),
  );
  bindOperation(app, 'removeTags', ({ identity: { userId }, admission: { actor }, body }) =>
    bulk.removeTags(userId, body.tags, actor),
  );
}
