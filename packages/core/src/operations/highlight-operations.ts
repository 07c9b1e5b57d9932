import type { Highlights } from '../highlights/highlights.js';
import type { OperationHandlers } from './operation-call.js';

type HighlightOperation = 'listHighlights' | 'createHighlight' | 'updateHighlight' | 'deleteHighlight';

/** Passages that the user marked. */
export function highlightOperations(highlights: Highlights): OperationHandlers<HighlightOperation> {
  return {
    listHighlights: ({ userId, query: { q, ...options } }) => highlights.list(userId, { ...options, query: q }),
    createHighlight: ({ userId, parameters, body }) => highlights.create(userId, parameters.id, body),
    updateHighlight: ({ userId, parameters, body }) => highlights.update(userId, parameters.id, body.note),
    async deleteHighlight({ userId, parameters }) {
      await highlights.remove(userId, parameters.id);
      return undefined;
    },
  };
}
