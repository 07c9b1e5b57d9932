import { toMarkdown } from '@recollect/extraction/dom';
import type { Turn } from '../../reading.js';
import { snapshotOf } from '../snapshot.js';

/** A conversation read from a page. */
export interface Conversation {
  /** Null when the page gives the conversation no title. */
  title: string | null;
  /** The turns that are complete, in order. */
  turns: readonly Turn[];
  isStreaming: boolean;
}

/** How to recognise and read one chat surface. */
export interface Surface {
  name: 'chatgpt' | 'claude' | 'openclaw';
  isAt(host: string, openclawHosts: readonly string[]): boolean;
  /** Null when the page shows no conversation. */
  read(document: Document): Conversation | null;
}

/** An element of a turn as Markdown, without the elements that `clutter` matches. */
export function turnText(element: Element, clutter = ''): string {
  const copy = snapshotOf(element);
  if (clutter !== '') for (const unwanted of copy.querySelectorAll(clutter)) unwanted.remove();
  return toMarkdown(copy, element.baseURI);
}

/** Elements that only the chat itself creates. In a user's turn, they show that the chat rendered Markdown. */
const RENDERED_MARKUP = 'pre, ul, ol, table, h1, h2, h3, h4, blockquote, strong, em, code, img';

/** The text as the user typed it, with its line breaks, unless the chat rendered it as Markdown. */
export function typedText(element: Element): string {
  const copy = snapshotOf(element);
  if (copy.querySelector(RENDERED_MARKUP) !== null) return turnText(element);
  for (const unwanted of copy.querySelectorAll('button, svg, .sr-only, [style="display:none"]')) unwanted.remove();
  for (const lineBreak of copy.querySelectorAll('br')) lineBreak.replaceWith('\n');
  const paragraphs = [...copy.querySelectorAll('p')];
  return (paragraphs.length > 0 ? paragraphs : [copy])
    .map(({ textContent }) => (textContent ?? '').trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Drops turns without text. Turns of one role in a row stay separate: the last turn must not change with a new one. */
export function dropEmptyTurns(turns: readonly Turn[]): Turn[] {
  return turns.filter(({ text }) => text !== '');
}

/** The document title without the site name. */
export function titleWithout(document: Document, name: RegExp): string | null {
  const title = document.title.replace(name, '').trim();
  return title === '' ? null : title;
}
