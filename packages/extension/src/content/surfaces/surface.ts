import type { Turn } from '../../reading.js';
import { snapshotOf } from '../snapshot.js';
import { toMarkdown } from '../to-markdown.js';

/** A conversation as it stands in a page. */
export interface Conversation {
  /** Null where the page does not name it. */
  title: string | null;
  /** The turns that are complete, in order. */
  turns: readonly Turn[];
  isStreaming: boolean;
}

/** What is known of one chat surface. */
export interface Surface {
  name: 'chatgpt' | 'claude' | 'openclaw';
  isAt(host: string, openclawHosts: readonly string[]): boolean;
  /** Null when the page shows no conversation. */
  read(document: Document): Conversation | null;
}

/** An element of a turn as Markdown, without what `clutter` matches. */
export function turnText(element: Element, clutter = ''): string {
  const copy = snapshotOf(element);
  if (clutter !== '') for (const unwanted of copy.querySelectorAll(clutter)) unwanted.remove();
  return toMarkdown(copy, element.baseURI);
}

/** What only the makers of a chat put into a turn; where it stands in a user's, Markdown was made of it. */
const MADE = 'pre, ul, ol, table, h1, h2, h3, h4, blockquote, strong, em, code, img';

/** What a user has typed, as it was typed, with its line breaks, where no markup was made of it. */
export function typedText(element: Element): string {
  const copy = snapshotOf(element);
  if (copy.querySelector(MADE) !== null) return turnText(element);
  for (const unwanted of copy.querySelectorAll('button, svg, .sr-only, [style="display:none"]')) unwanted.remove();
  for (const brake of copy.querySelectorAll('br')) brake.replaceWith('\n');
  const paragraphs = [...copy.querySelectorAll('p')];
  return (paragraphs.length > 0 ? paragraphs : [copy])
    .map(({ textContent }) => (textContent ?? '').trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The turns that have a text. Those of one side in a row stay apart: joined, the last of them would change when another one comes. */
export function withText(turns: readonly Turn[]): Turn[] {
  return turns.filter(({ text }) => text !== '');
}

/** The title of the document without the name of the site. */
export function titleWithout(document: Document, name: RegExp): string | null {
  const title = document.title.replace(name, '').trim();
  return title === '' ? null : title;
}
