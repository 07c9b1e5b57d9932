import type { PageFetches } from '../fetching/page-fetches.js';
import type { OperationHandlers } from './operation-call.js';

type FetchOperation = 'startFetch' | 'listFetches' | 'fetchState' | 'changeFetch';

/** Getting the pages of links in the background. */
export function fetchOperations(fetches: PageFetches): OperationHandlers<FetchOperation> {
  return {
    startFetch: ({ userId, actor, body }) => fetches.start(userId, body, actor),
    listFetches: async ({ userId }) => ({ fetches: await fetches.list(userId) }),
    fetchState: ({ userId, parameters }) => fetches.find(userId, parameters.id),
    changeFetch: ({ userId, parameters, body }) => fetches.change(userId, parameters.id, body),
  };
}
