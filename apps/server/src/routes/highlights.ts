import type { HighlightBody } from '@recollect/contract';
import type { Core } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** Passages that the user marked. */
export function highlightRoutes(app: App, { highlights }: Core): void {
  bindOperation(app, 'listHighlights', ({ identity: { userId }, query: { q, ...options } }) =>
    highlights.list(userId, { ...options, query: q }),
  );
  bindOperation(app, 'createHighlight', ({ identity: { userId }, parameters, body }) =>
    highlights.create(userId, parameters.id, body as HighlightBody),
  );
  bindOperation(app, 'updateHighlight', ({ identity: { userId }, parameters, body }) =>
    highlights.update(userId, parameters.id, body.note),
  );
  bindOperation(app, 'deleteHighlight', async ({ identity: { userId }, parameters }) => {
    await highlights.remove(userId, parameters.id);
    return undefined;
  });
}
