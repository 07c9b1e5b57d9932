import { computed, signal } from '@preact/signals';
import { client } from '../api/client.js';
import { createResource } from './resource.js';

const shared = createResource(() => client('listShared', {}));
const given = createResource(() => client('listShares', {}));

/** What others share with this person, and their own tags to which others may add; none before it was read. */
export const sharedCollections = computed(() => shared.value.value?.shared ?? []);
/** What this person shares, and with whom they can. Null before it was read, and for those who cannot share. */
export const shareList = computed(() => given.value.value);
/** Whether sharing reaches anyone: another person, or others who can open the address of this page. */
export const canShare = computed(() => {
  const list = shareList.value;
  const isOnlyHere = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
  return list !== null && (list.people.length > 0 || (list.hasPublicPages && !isOnlyHere));
});

export const loadShared = (): Promise<void> => shared.load();
export const loadShares = (): Promise<void> => given.load();

/** A tag or a saved search to share. */
export type ShareSubject = { tag: string; name: string } | { savedSearchId: string; name: string };

/** The subject of the open dialog; null while it is closed. */
export const shareSubject = signal<ShareSubject | null>(null);
/** The memory to add to a shared tag; null while that dialog is closed. */
export const memoryToAdd = signal<string | null>(null);

/** The address of a page about shares, without the base path. */
export function sharedPath(...parts: readonly string[]): string {
  return ['/shared', ...parts.map(encodeURIComponent)].join('/');
}
