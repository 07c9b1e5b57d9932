import { signal } from '@preact/signals';

/** The query of the list, as it is typed. It is also in the address. */
export const query = signal(readAddress());

/** Changes the query and the address. Typing replaces the address, so that Back leaves the search. */
export function setQuery(next: string): void {
  query.value = next;
  const address = new URL(location.href);
  if (next.trim() === '') address.searchParams.delete('q');
  else address.searchParams.set('q', next);
  history.replaceState(history.state, '', address);
}

/** Follows the address after Back and Forward. */
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
