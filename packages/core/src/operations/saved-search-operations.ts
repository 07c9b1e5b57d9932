import type { SavedSearches } from '../saved-searches.js';
import type { OperationHandlers } from './operation-call.js';

type SavedSearchOperation = 'listSavedSearches' | 'createSavedSearch' | 'updateSavedSearch' | 'deleteSavedSearch';

/** MEM-15: queries that the user keeps. */
export function savedSearchOperations(savedSearches: SavedSearches): OperationHandlers<SavedSearchOperation> {
  return {
    listSavedSearches: ({ userId }) => savedSearches.list(userId),
    createSavedSearch: ({ userId, body }) => savedSearches.create(userId, body),
    updateSavedSearch: ({ userId, parameters, body }) => savedSearches.update(userId, parameters.id, body),
    async deleteSavedSearch({ userId, parameters }) {
      await savedSearches.remove(userId, parameters.id);
      return undefined;
    },
  };
}
