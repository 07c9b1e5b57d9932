import type { Block } from './find-blocks.js';
import { sizeOf } from './words.js';

/** Names of a comment or of the list of them. */
const COMMENT = /(?:^|[^a-z])(?:comments?|replies|respond|disqus)(?![a-z])/i;
/** What says when a comment was written, and by whom. */
export const TIME = 'time, [datetime], [class*="date" i], [class*="time" i], [class*="ago" i]';
export const AUTHOR =
  '[class*="author" i], [class*="user" i], [class*="name" i], [rel~="author"], [itemprop="author"], cite';
const FEWEST = 2;
/** An article of fewer words before its comments may be the first post of a thread. */
const ARTICLE_WORDS = 80;

/** The comments below an article. */
export interface FoundComments {
  /** The blocks that belong to comments. */
  isComment: readonly boolean[];
  /** The comments in order, each with its replies within it or after it. */
  elements: readonly Element[];
}

/**
 * Finds the comments of an article: siblings with one name, each with an author and a time, in a list of comments that
 * follows the text.
 *
 * @param isChosen the blocks that were chosen as its text
 */
export function findComments(body: Element, blocks: readonly Block[], isChosen: readonly boolean[]): FoundComments {
  const comments = new Set<Element>();
  const parts = new Set([...body.querySelectorAll(TIME)].flatMap((time) => partsAround(time, body)));
  const families = [...Map.groupBy(parts, (part) => part.parentElement).values()];
  for (const siblings of families) if (siblings.length >= FEWEST) for (const part of siblings) comments.add(part);
  const isComment = blocks.map(({ element }) => isWithin(element, comments));
  const first = isComment.indexOf(true);
  const before = blocks.filter((_, place) => place < first && isChosen[place] === true);
  const words = before.reduce((sum, block) => sum + sizeOf(block.words), 0);
  if (words < ARTICLE_WORDS) return { isComment: blocks.map(() => false), elements: [] };
  const units = wholeComments(parts, families);
  return { isComment, elements: [...body.querySelectorAll('*')].filter((element) => units.has(element)) };
}

/** Of the parts of comments, those that are a whole comment: siblings with one name, and single replies with it. */
function wholeComments(parts: ReadonlySet<Element>, families: readonly (readonly Element[])[]): ReadonlySet<Element> {
  const repeated = families.flatMap((siblings) =>
    [...Map.groupBy(siblings, labelOf).values()].filter((alike) => alike.length >= FEWEST),
  );
  const labels = new Set(repeated.flat().filter(isLabelled).map(labelOf));
  return new Set([...repeated.flat(), ...[...parts].filter((part) => labels.has(labelOf(part)))]);
}

/** The kind of an element, and the first of its classes that names a comment. */
function labelOf(element: Element): string {
  const classes = (element.getAttribute('class') ?? '').split(/\s+/);
  return `${element.nodeName}.${classes.find((name) => COMMENT.test(name)) ?? ''}`;
}

function isLabelled(element: Element): boolean {
  return !labelOf(element).endsWith('.');
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
