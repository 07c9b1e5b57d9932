import { computed } from '@preact/signals';
import type { IconName } from '@recollect/ui';
import { client } from '../api/client.js';
import { createResource } from './resource.js';
import { announce } from './status.js';

const list = createResource(() => client('listSavedSearches', {}));

/** By name; none before they were read. */
export const savedSearches = computed(() => list.value.value?.savedSearches ?? []);

/** A list that has a name. */
export interface NamedList {
  id: string;
  name: string;
  query: string;
  icon: IconName;
}

/** Lists that everyone has. */
const BUILT_IN_LISTS: readonly NamedList[] = [
  { id: 'starred', name: 'Starred', query: 'is:starred', icon: 'star' },
  { id: 'unread', name: 'Unread', query: 'is:unread', icon: 'bookmark' },
];

/** All lists that have a name: those that everyone has, and saved searches. */
export const namedLists = computed<readonly NamedList[]>(() => [
  ...BUILT_IN_LISTS,
  ...savedSearches.value.map(({ id, name, query }) => ({ id, name, query, icon: 'search' as const })),
]);

export const loadSavedSearches = (): Promise<void> => list.load();

/** Saves a query under a name. Throws as the client does. */
export async function saveSearch(name: string, query: string): Promise<void> {
  const { id } = await client('createSavedSearch', { body: { name, query } });
  announce('Search saved.', () => remove(id));
  await list.load();
}

export async function renameSearch(id: string, name: string): Promise<void> {
  await client('updateSavedSearch', { parameters: { id }, body: { name } });
  await list.load();
}

/** Removes a saved search, with undo. Throws as the client does. */
export async function removeSearch(id: string): Promise<void> {
  const removed = savedSearches.peek().find((search) => search.id === id);
  await remove(id);
  if (removed !== undefined) announce('Saved search removed.', () => saveSearch(removed.name, removed.query));
}

async function remove(id: string): Promise<void> {
  await client('deleteSavedSearch', { parameters: { id } });
  await list.load();
}
