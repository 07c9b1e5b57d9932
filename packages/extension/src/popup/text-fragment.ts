import { markMatches, plainText } from '@recollect/contract/text';

/** Words in a fragment: enough to be unique, few enough to fit in one paragraph. */
const FRAGMENT_WORDS = 6;

/**
 * Adds a text fragment (WICG, Scroll to Text Fragment) to a page's address, so that the browser scrolls to the match.
 * Without a match in the excerpt, the address is unchanged.
 */
export function withTextFragment(url: string, excerpt: string, query: string): string {
  // A phrase must not cross the cells of a table.
  const line = plainText(excerpt)
    .split(/[\n\t]/)
    .find((text) => markMatches(text, query).some(({ isMatch }) => isMatch));
  if (line === undefined) return url;
  const start = markMatches(line, query).findIndex(({ isMatch }) => isMatch);
  const rest = markMatches(line, query)
    .slice(start)
    .map(({ text }) => text)
    .join('');
  const phrase = rest
    .split(/\s+/)
    .slice(0, FRAGMENT_WORDS)
    .join(' ')
    .replace(/(?<![\s…,.;:])[\s…,.;:]+$/, '');
  if (phrase === '') return url;
  const [address = url] = url.split(':~:');
  // Hyphens and commas are syntax in a text fragment.
  const text = encodeURIComponent(phrase).replaceAll('-', '%2D');
  return `${address}${address.includes('#') ? '' : '#'}:~:text=${text}`;
}
