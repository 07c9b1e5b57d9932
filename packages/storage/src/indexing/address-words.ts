import { domainToUnicode } from 'node:url';
import { parseUrl } from '@recollect/contract/text';

/** File endings that say how a page is made, with the name of a folder's own page. */
const PAGE_FILE = /(?:\/index)?\.(?:html?|xhtml|php|aspx?|jsp|cgi)$/i;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Characters of a path that are indexed. */
const LONGEST = 300;

/**
 * The words of a page's address that somebody may remember: of the host without `www.`, and of the path. Left out
 * are ids, numbers of one or two digits, the parts after `?` or `#`, and an address that is a number itself.
 *
 * @example
 * addressWords('https://www.lwn.net/Articles/123456/scheduler-notes.html?src=7');
 * // 'lwn net Articles 123456 scheduler notes'
 */
export function addressWords(address: string): string {
  const url = parseUrl(address);
  if (url === null) return '';
  const { hostname, pathname } = url;
  const isNumber = /^[\d.]*$|^\[/.test(hostname);
  const host = isNumber ? [] : domainToUnicode(hostname.replace(/^www\./, '')).split('.');
  const path = decode(pathname).replace(PAGE_FILE, '').replace(UUID, ' ').slice(0, LONGEST);
  return [...host, ...path.split(/[^\p{L}\p{N}\p{M}]+/u).filter(isMemorable)].join(' ');
}

function decode(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      // It is not UTF-8.
      return ' ';
    }
  });
}

/** Whether it is a word or a short number rather than an id. */
function isMemorable(word: string): boolean {
  return word !== '' && (!/\d/.test(word) || (word.length > 2 && word.length < 8));
}
