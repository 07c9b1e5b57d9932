import { signal } from '@preact/signals';
import { addressOf, pagePath } from '../api/base-path.js';

/** The path of the list of everything. A query is at `/`, which is the home page without one. */
const LIST_PATH = '/everything';

/** The query of the list, updated while typing. It is also in the address. */
export const query = signal(readAddress());

/**
 * Changes the query and the address. Typing replaces the address, so that Back leaves the search. The address is
 * changed through the router, which ignores links to the address that it last saw.
 */
export function setQuery(next: string, route: (address: string, isReplaced: boolean) => void): void {
  query.value = next;
  route(searchAddress(next), true);
}

/** Follows the address when it changed otherwise: by a link, Back or Forward. */
export function followAddress(): void {
  if (['/', LIST_PATH].includes(pagePath(location.pathname))) query.value = readAddress();
}

/** Whether the address shows the list: of everything, or of the results of a query. */
export function isListPage(): boolean {
  const path = pagePath(location.pathname);
  return path === LIST_PATH || (path === '/' && readAddress() !== '');
}

/** The address of the list for a query. */
export function searchAddress(text: string): string {
  return addressOf(text === '' ? LIST_PATH : `/?q=${encodeURIComponent(text)}`);
}

/** A range of a text, in UTF-16 code units. */
export interface Passage {
  start: number;
  end: number;
}

/**
 * The address of a memory, with the search that found it and the passage that matched: it opens there again, also in
 * another window.
 *
 * @example
 * memoryAddress('019f0c1e', 'tea', { start: 40, end: 900 }); // '/memory/019f0c1e?q=tea&at=40-900'
 */
export function memoryAddress(id: string, words: string, passage?: Passage): string {
  const address = addressOf(`/memory/${id}`);
  if (words === '') return address;
  const at = passage === undefined || passage.end === 0 ? '' : `&at=${passage.start}-${passage.end}`;
  return `${address}?q=${encodeURIComponent(words)}${at}`;
}

/** Reads the passage of such an address. Null if there is none. */
export function readPassage(at: string | undefined): Passage | null {
  const [, start, end] = /^(\d{1,9})-(\d{1,9})$/.exec(at ?? '') ?? [];
  return start === undefined || end === undefined ? null : { start: Number(start), end: Number(end) };
}

function readAddress(): string {
  return new URLSearchParams(location.search).get('q') ?? '';
}
