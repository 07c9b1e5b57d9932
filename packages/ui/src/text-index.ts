import { limits } from '@recollect/contract/limits';
import { displayed, sliceText } from '@recollect/contract/text';
import search from 'approx-string-match';

interface Piece {
  node: Text;
  /** Where the node's text starts in the index's text. */
  start: number;
  length: number;
  /** For each character of the normalised text of the node, its offset in the node. Null if they are the same. */
  offsets: readonly number[] | null;
}

/**
 * The text of an element without placeholders of pictures, with the place of each character in its nodes.
 * White space counts as one space.
 */
export interface TextIndex {
  text: string;
  /** The range of a part of the text. */
  rangeOf(span: Span): Range;
  /** The range of a passage. Null if it is not there. With `isExact`, its words must not have changed. */
  find(quote: Quote, isExact?: boolean): Range | null;
  /** The passage of a range within the element, with the text around it. Null if it has no text. */
  quoteOf(range: Range): Quote | null;
}

export interface IndexOptions {
  /** A selector of the elements whose text is apart from the text around them. */
  blocks?: string;
  /** Whether the text in an element is left out. */
  isSkipped?: (parent: Element) => boolean;
}

/**
 * Indexes the current text of an element.
 *
 * @example
 * const index = indexText(document.body);
 * const range = index.find({ quote: 'green tea', prefix: 'Steep ', suffix: '' });
 */
export function indexText(
  root: HTMLElement,
  { blocks = BLOCK, isSkipped = isPlaceholder }: IndexOptions = {},
): TextIndex {
  const pieces: Piece[] = [];
  // Joined at the end: to look at the end of a text that grows, the browser would copy it each time.
  const parts: string[] = [];
  let length = 0;
  let endsWithSpace = true;
  let lastBlock: Element = root;
  const add = (part: string) => {
    if (part === '') return;
    parts.push(part);
    length += part.length;
    endsWithSpace = part.endsWith(' ');
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let next = walker.nextNode(); next !== null; next = walker.nextNode()) {
    const node = next as Text;
    const parent = node.parentElement ?? root;
    if (isSkipped(parent)) continue;
    // Words of neighbouring blocks are not one word.
    const block = parent.closest(blocks) ?? root;
    if (block !== lastBlock && !endsWithSpace) add(' ');
    lastBlock = block;
    const start = length;
    const { normal, offsets } = normalise(node.data, endsWithSpace);
    add(normal);
    pieces.push({ node, start, length: length - start, offsets });
  }
  const text = parts.join('');

  const pieceAt = (position: number) => pieces.findLast(({ start, length }) => start <= position && length > 0);
  const offsetIn = ({ node, start, offsets }: Piece, position: number) =>
    Math.min(node.data.length, offsets === null ? position - start : (offsets[position - start] ?? node.data.length));
  const rangeOf = ({ start, end }: Span) => {
    const range = document.createRange();
    const first = pieceAt(start);
    const last = pieceAt(Math.max(start, end - 1));
    if (first !== undefined) range.setStart(first.node, offsetIn(first, start));
    if (last !== undefined) range.setEnd(last.node, Math.min(last.node.data.length, offsetIn(last, end - 1) + 1));
    return range;
  };
  const positionOf = (container: Node, offset: number) => {
    const boundary = document.createRange();
    boundary.setStart(container, offset);
    let position = 0;
    for (const { node, start, length, offsets } of pieces) {
      if (node === container)
        return start + (offsets === null ? Math.min(offset, length) : offsets.filter((at) => at < offset).length);
      if (boundary.comparePoint(node, 0) > 0) return start;
      position = start + length;
    }
    return position;
  };

  return {
    text,
    rangeOf,
    find(quote, isExact) {
      const span = findQuote(text, quote, isExact);
      return span === null ? null : rangeOf(span);
    },
    quoteOf(range) {
      const start = positionOf(range.startContainer, range.startOffset);
      const end = positionOf(range.endContainer, range.endOffset);
      const raw = text.slice(start, end);
      const quote = collapse(raw).trim();
      if (quote === '') return null;
      const from = start + raw.indexOf(quote);
      return quoteAt(text, { start: from, end: from + quote.length });
    },
  };
}

/** Whether an element is the placeholder of a picture in the reader, which is not there while images are shown. */
function isPlaceholder(element: Element): boolean {
  return element.closest('.image') !== null;
}

/** A text with each run of white space as one space, and where its characters were. */
function normalise(data: string, followsSpace: boolean): { normal: string; offsets: number[] | null } {
  // Most nodes have single spaces only.
  if (!/\s{2}|[^\S ]/.test(data) && !(followsSpace && data.startsWith(' '))) return { normal: data, offsets: null };
  const offsets: number[] = [];
  let normal = '';
  for (let at = 0; at < data.length; at++) {
    const character = data[at] ?? '';
    const isSpace = /\s/.test(character);
    if (isSpace && (normal === '' ? followsSpace : normal.endsWith(' '))) continue;
    normal += isSpace ? ' ' : character;
    offsets.push(at);
  }
  return { normal, offsets };
}

const BLOCK = 'p, li, h2, h3, h4, h5, h6, td, th, pre, blockquote, div, tr, section';

/** A passage with the text around it, as the Web Annotation data model describes it (TextQuoteSelector). */
export interface Quote {
  quote: string;
  prefix: string;
  suffix: string;
}

interface Span {
  start: number;
  end: number;
}

/** The share of a passage that may have changed. */
const MAX_CHANGED_SHARE = 0.25;
/** The longest passage that is searched for with changes, because that takes time. */
const MAX_FUZZY = 500;
/**
 * Characters before and after a passage that are kept to find it again. More are kept where the text repeats itself.
 */
const CONTEXT_CHARACTERS = 200;
const MAX_CONTEXT = limits.highlights.contextLength;

/**
 * Finds a passage in a text by its words, and among several places by the text around it. If the words have changed a
 * little, finds the most similar place, unless `isExact`. White space counts as one space; `text` must be normalised
 * so. Null if it is not there.
 *
 * @example
 * findQuote('Green tea. Black tea.', { quote: 'tea', prefix: 'Black ', suffix: '.' }); // { start: 17, end: 20 }
 */
export function findQuote(text: string, { quote, prefix, suffix }: Quote, isExact = false): Span | null {
  const words = collapse(displayed(quote)).trim();
  if (words === '') return null;
  const around = { prefix: collapse(displayed(prefix)), suffix: collapse(displayed(suffix)) };
  const exact = findAll(text, words);
  const spans = exact.length > 0 || isExact ? exact : findSimilar(text, words);
  let best: { span: Span; score: number } | null = null;
  for (const span of spans) {
    const before = text.slice(Math.max(0, span.start - around.prefix.length), span.start);
    const after = text.slice(span.end, span.end + around.suffix.length);
    const score = sharedEnd(before, around.prefix) + sharedStart(after, around.suffix);
    if (best === null || score > best.score) best = { span, score };
  }
  return best?.span ?? null;
}

/**
 * A passage of a normalised text with the text around it: as much as tells it from all other places, if that is
 * possible.
 */
export function quoteAt(text: string, { start, end }: Span): Quote {
  const around = (length: number) => ({
    // The server rejects half a character.
    prefix: sliceText(text, Math.max(0, start - length), start),
    suffix: sliceText(text, end, end + length),
  });
  const quote = sliceText(text, start, end);
  let length = CONTEXT_CHARACTERS;
  for (; length < MAX_CONTEXT; length *= 2) {
    const { prefix, suffix } = around(length);
    const whole = prefix + quote + suffix;
    if (text.indexOf(whole) === text.lastIndexOf(whole)) break;
  }
  return { quote, ...around(Math.min(length, MAX_CONTEXT)) };
}

/** A text with each run of white space as one space. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function findAll(text: string, words: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    found.push({ start: at, end: at + words.length });
  return found;
}

function findSimilar(text: string, words: string): Span[] {
  if (words.length > MAX_FUZZY) return [];
  const matches = search(text, words, Math.floor(words.length * MAX_CHANGED_SHARE));
  const least = Math.min(...matches.map(({ errors }) => errors));
  return matches.filter(({ errors }) => errors === least).map(({ start, end }) => ({ start, end }));
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function sharedEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}
