import { routes } from '../routes.js';
import {
  SavedSearch,
  SavedSearchBody,
  SavedSearchList,
  SavedSearchParameters,
  SavedSearchPatch,
  SavedSearchState,
} from '../saved-search.js';
import type { Operation } from './operation.js';

/** Queries that are kept under a name. */
export const savedSearchOperations = {
  listSavedSearches: {
    ...routes.listSavedSearches,
    scope: 'memory:read',
    summary: 'Returns the saved searches by name.',
    answers: { 200: SavedSearchList },
    problems: [],
  },
  createSavedSearch: {
    ...routes.createSavedSearch,
    scope: 'memory:write',
    summary: 'Saves a search under a name.',
    body: SavedSearchBody,
    answers: { 201: SavedSearch },
    withoutRead: { 201: SavedSearchState },
    problems: ['VALIDATION_FAILED', 'NAME_TAKEN'],
  },
  updateSavedSearch: {
    ...routes.updateSavedSearch,
    scope: 'memory:write',
    summary: 'Changes the name or the query of a saved search.',
    parameters: SavedSearchParameters,
    body: SavedSearchPatch,
    answers: { 200: SavedSearch },
    withoutRead: { 200: SavedSearchState },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND', 'NAME_TAKEN'],
  },
  deleteSavedSearch: {
    ...routes.deleteSavedSearch,
    scope: 'memory:write',
    summary: 'Deletes a saved search, and no memory.',
    parameters: SavedSearchParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
