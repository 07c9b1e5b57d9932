import type { FieldError, SavedSearch, SavedSearchBody, SavedSearchList, SavedSearchPatch } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { withoutNul } from './drafts/content.js';
import { RecollectError } from './error.js';
import type { CorePorts } from './ports/core-ports.js';
import { createId } from './text/create-id.js';

/** The use cases on queries that a user keeps under a name. */
export interface SavedSearches {
  /** By name. */
  list(userId: string): Promise<SavedSearchList>;
  /** Throws VALIDATION_FAILED for a blank name or query, and if there are too many, or NAME_TAKEN. */
  create(userId: string, body: SavedSearchBody): Promise<SavedSearch>;
  /** Throws NOT_FOUND, and as `create` does. */
  update(userId: string, id: string, patch: SavedSearchPatch): Promise<SavedSearch>;
  /** Throws NOT_FOUND. */
  remove(userId: string, id: string): Promise<void>;
}

/** Makes the use cases that keep and list searches. */
export function createSavedSearches({
  savedSearches,
  clock,
}: Pick<CorePorts, 'savedSearches' | 'clock'>): SavedSearches {
  const { kept } = limits.savedSearches;
  return {
    list: async (userId) => ({ savedSearches: await savedSearches.list(userId) }),

    async create(userId, body) {
      const now = clock.now();
      const [name, query] = [clean('name', body.name), clean('query', body.query)];
      const at = now.toISOString();
      const search = { id: createId(now), name, query, createdAt: at, updatedAt: at };
      const outcome = await savedSearches.insert(userId, search, kept);
      if (outcome === 'taken') throw nameTaken();
      if (outcome === 'full') throw invalid('/name', `is one too many: at most ${kept} searches are kept`);
      return search;
    },

    async update(userId, id, { name, query }) {
      const outcome = await savedSearches.update(userId, id, {
        name: name === undefined ? undefined : clean('name', name),
        query: query === undefined ? undefined : clean('query', query),
        updatedAt: clock.now().toISOString(),
      });
      if (outcome === 'taken') throw nameTaken();
      if (outcome === 'unknown') throw unknownSearch();
      return outcome;
    },

    async remove(userId, id) {
      if (!(await savedSearches.remove(userId, id))) throw unknownSearch();
    },
  };
}

function clean(field: 'name' | 'query', text: string): string {
  const value = withoutNul(text).trim().replace(/\s+/g, ' ');
  if (value === '') throw invalid(`/${field}`, 'must have at least one character that is not white space');
  return value;
}

function nameTaken(): RecollectError {
  return new RecollectError('NAME_TAKEN', 'Another saved search has this name. Choose another name.');
}

function unknownSearch(): RecollectError {
  return new RecollectError('NOT_FOUND', 'There is no saved search with this id.');
}

function invalid(pointer: string, message: string): RecollectError {
  const errors: FieldError[] = [{ pointer, message }];
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}.`, { errors });
}
