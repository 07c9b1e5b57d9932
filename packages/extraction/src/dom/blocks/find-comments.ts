import type { Block } from './find-blocks.js';
import { sizeOf } from './words.js';

/** Names of a comment or of the list of them. */
const COMMENT = /(?:^|[^a-z])(?:comments?|replies|respond|disqus)(?![a-z])/i;
/** What says when a comment was written, and by whom. */
const TIME = 'time, [datetime], [class*="date" i], [class*="time" i], [class*="ago" i]';
const AUTHOR = '[class*="author" i], [class*="user" i], [class*="name" i], [rel~="author"], [itemprop="author"], cite';
const FEWEST = 2;
/** An article of fewer words before its comments may be the first post of a thread. */
const ARTICLE_WORDS = 80;

/**
 * Tells which blocks of an article are comments: siblings with one name, each with an author and a time, in a list of
 * comments that follows the text.
 *
 * @param isChosen the blocks that were chosen as its text
 */
export function findComments(body: Element, blocks: readonly Block[], isChosen: readonly boolean[]): boolean[] {
  const comments = new Set<Element>();
  const parts = new Set([...body.querySelectorAll(TIME)].flatMap((time) => partsAround(time, body)));
  for (const siblings of Map.groupBy(parts, (part) => part.parentElement).values())
    if (siblings.length >= FEWEST) for (const part of siblings) comments.add(part);
  const isComment = blocks.map(({ element }) => isWithin(element, comments));
  const first = isComment.indexOf(true);
  const before = blocks.filter((_, place) => place < first && isChosen[place] === true);
  const words = before.reduce((sum, block) => sum + sizeOf(block.words), 0);
  return words < ARTICLE_WORDS ? blocks.map(() => false) : isComment;
}

/** The elements around a time that have a comment's name and an author. */
function partsAround(time: Element, body: Element): Element[] {
  const parts: Element[] = [];
  for (let part = time.parentElement; part !== null && part !== body; part = part.parentElement)
    if (isNamed(part) && part.querySelector(AUTHOR) !== null) parts.push(part);
  return parts;
}

function isNamed(element: Element): boolean {
  const parent = element.parentElement;
  return [element, parent].some((one) => COMMENT.test(`${one?.id ?? ''} ${one?.getAttribute('class') ?? ''}`));
}

function isWithin(element: Element, parts: ReadonlySet<Element>): boolean {
  for (let part: Element | null = element; part !== null; part = part.parentElement) if (parts.has(part)) return true;
  return false;
}
