import { markMatches } from './mark-matches.js';

/** Words of a fragment: enough to be found once, few enough to lie in one paragraph. */
const WORDS = 6;

/**
 * A page's address with a text fragment (WICG, Scroll to Text Fragment), by which the browser scrolls to the words that
 * matched. Without a match in the excerpt the address stays as it is.
 */
export function withTextFragment(url: string, excerpt: string, query: string): string {
  const line = excerpt
    .split('\n')
    .map(plain)
    .find((text) => markMatches(text, query).some(({ isMatch }) => isMatch));
  if (line === undefined) return url;
  const start = markMatches(line, query).findIndex(({ isMatch }) => isMatch);
  const rest = markMatches(line, query)
    .slice(start)
    .map(({ text }) => text)
    .join('');
  const phrase = rest
    .split(/\s+/)
    .slice(0, WORDS)
    .join(' ')
    .replace(/[\s…,.;:]+$/, '');
  if (phrase === '') return url;
  const [address = url] = url.split(':~:');
  // A hyphen and a comma have a meaning of their own there.
  const text = encodeURIComponent(phrase).replaceAll('-', '%2D');
  return `${address}${address.includes('#') ? '' : '#'}:~:text=${text}`;
}

/** A line of Markdown as it reads on the page. */
function plain(line: string): string {
  return (
    line
      .replace(/!?\[([^\]]*)\]\([^)]*\)?/g, '$1')
      .replace(/^\s*(?:[#>]+|[-*]|\d+\.|\|)\s+/, '')
      .replace(/\\([\\`*_[\]()#+.!-])/g, '$1')
      .replace(/[*`]/g, '')
      .split('|')[0] ?? ''
  );
}
