import { computed } from '@preact/signals';
import { client } from '../api/client.js';
import { createResource } from './resource.js';
import { announce } from './status.js';

const list = createResource(() => client('listSavedSearches', {}));

/** By name; none before they were read. */
export const savedSearches = computed(() => list.value.value?.savedSearches ?? []);

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
