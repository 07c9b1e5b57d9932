import { signal } from '@preact/signals';

/** The query of the list, as it is typed. It is also in the address. */
export const query = signal(readAddress());

/**
 * Changes the query and the address. Typing replaces the address, so that Back leaves the search. The address is changed through
 * the router, which ignores links to the address that it last saw.
 */
export function setQuery(next: string, route: (address: string, isReplaced: boolean) => void): void {
  query.value = next;
  route(searchAddress(next), true);
}

/** Follows the address when it changed otherwise: by a link, Back or Forward. */
export function followAddress(): void {
  if (location.pathname === '/') query.value = readAddress();
}

/** The address of the list for a query. */
export function searchAddress(text: string): string {
  return text === '' ? '/' : `/?q=${encodeURIComponent(text)}`;
}

function readAddress(): string {
  return new URLSearchParams(location.search).get('q') ?? '';
}
