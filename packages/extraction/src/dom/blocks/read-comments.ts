import { limits } from '@recollect/contract/limits';
import { sliceText } from '@recollect/contract/text';
import { toMarkdown } from '../to-markdown.js';
import { AUTHOR, TIME } from './find-comments.js';

/** A comment below an article: what somebody else wrote. */
export interface PageComment {
  /** Empty if the page does not say it as text. */
  author: string;
  /** ISO 8601 in UTC; missing if the page states no exact time. */
  published?: string;
  /** Markdown. */
  text: string;
}

const { count: MAX_COMMENTS, authorLength, characters: MAX_CHARACTERS } = limits.capture.comments;
/** Marks comments while those around them are copied. */
const MARK = 'data-whole-comment';
/** Characters of a label, such as a name or a time. */
const MAX_LABEL = 80;
/** The name within what says who wrote a comment, such as "by Ann, 3 posts". */
const NAME = '.fn, [class*="name" i], [itemprop="name"], a, b, strong, cite';
/** Links below a comment, such as "Reply" and "Report". */
const CONTROLS = 'a, [class*="reply" i], [class*="action" i], [class*="meta" i], [class*="vote" i], footer';
const EXACT_TIME = /^\d{4}-\d\d-\d\d/;

/**
 * Reads comments, each without its replies, which follow it. Leaves out comments without words, and those beyond the
 * limits. Modifies nothing.
 *
 * @param elements in the order of the page
 */
export function readComments(elements: readonly Element[], base: string): PageComment[] {
  for (const element of elements) element.setAttribute(MARK, '');
  const comments: PageComment[] = [];
  let left = MAX_CHARACTERS;
  for (const element of elements) {
    if (comments.length === MAX_COMMENTS) break;
    const comment = readComment(element, base);
    if (comment.text === '') continue;
    left -= comment.text.length;
    if (left < 0) break;
    comments.push(comment);
  }
  for (const element of elements) element.removeAttribute(MARK);
  return comments;
}

function readComment(element: Element, base: string): PageComment {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const reply of copy.querySelectorAll(`[${MARK}]`)) reply.remove();
  const published = timeOf(copy);
  const author = takeAuthor(copy);
  for (const time of copy.querySelectorAll(TIME)) if (isLabel(time) && /\d/.test(textOf(time))) time.remove();
  for (const control of copy.querySelectorAll(CONTROLS)) if (isOnlyLinks(control)) control.remove();
  const text = toMarkdown(copy, base);
  return {
    author: sliceText(author, 0, authorLength),
    ...(published === null ? {} : { published }),
    text: /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text) ? text : '',
  };
}

/** The exact time that a comment states for programs. */
function timeOf(comment: Element): string | null {
  for (const time of comment.querySelectorAll('[datetime]')) {
    const stated = time.getAttribute('datetime')?.trim() ?? '';
    const instant = EXACT_TIME.test(stated) ? Date.parse(stated) : Number.NaN;
    if (!Number.isNaN(instant)) return new Date(instant).toISOString();
  }
  return null;
}

/** Removes the name of the author from a comment, and returns it. */
function takeAuthor(comment: Element): string {
  const labels = [...comment.querySelectorAll(AUTHOR)].filter((label) => isLabel(label) && textOf(label) !== '');
  const [label] = labels;
  if (label === undefined) return '';
  const name = [...label.querySelectorAll(NAME)].find((part) => textOf(part) !== '' && !part.matches(TIME)) ?? label;
  const author = textOf(name).replace(/:$/, '').trim();
  for (const other of labels) if (other === label || textOf(other) === author) other.remove();
  return author;
}

/** Whether it is a short line rather than text. */
function isLabel(element: Element): boolean {
  return textOf(element).length <= MAX_LABEL && element.querySelector('p, blockquote, pre') === null;
}

/** Whether all of its words are in short links within the comment, which lead nowhere else. */
function isOnlyLinks(element: Element): boolean {
  const links = element.matches('a') ? [element] : [...element.querySelectorAll('a')];
  const isControl = links.length > 0 && links.every((link) => CONTROL_LINK.test(link.getAttribute('href') ?? '#'));
  return isControl && isLabel(element) && links.map(textOf).join('') === textOf(element).replace(/[·|\s]+/g, '');
}

/** Addresses of links that reply to a comment, show it or act on it. */
const CONTROL_LINK = /^(?:$|javascript:)|[?&#]|repl(?:y|ies)|comment|report|login|share/i;

function textOf(element: Element): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim();
}
