import { parseUrl } from '@recollect/contract/text';

/** Content that another app shares with the installed web app (Web Share Target). */
export interface Shared {
  title: string;
  /** Null for a text without an address, which becomes a note. */
  url: string | null;
  /** The text to save. A bare link is saved under its title, since the server fetches nothing (SEC-12). */
  text: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/i;

/**
 * Reads the shared content from the query of the page. Android puts the address into the text; other systems into
 * `url`. Null if nothing was shared.
 *
 * @example
 * readShared('?title=Tea&text=See%20https://a.example/tea');
 * // { title: 'Tea', url: 'https://a.example/tea', text: 'See' }
 */
export function readShared(search: string): Shared | null {
  const parameters = new URLSearchParams(search);
  const field = (name: string) => parameters.get(name)?.trim() ?? '';
  const [title, text] = [field('title'), field('text')];
  const address = [field('url'), text].map((part) => ADDRESS.exec(part)?.[0] ?? '').find((part) => part !== '');
  const url = address !== undefined && parseUrl(address) !== null ? address : null;
  const words = (url === null ? text : text.replace(url, '')).trim();
  const content = words || title || url || '';
  return content === '' ? null : { title, url, text: content };
}
