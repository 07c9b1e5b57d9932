import { type Line, sizeOf } from './lines.js';

/** How many lines at each edge of a page may be a header or footer. */
const LINES = 2;
/** Pages that have the same words at an edge, at least, and their share of all: each chapter may have its own. */
const REPEATED = { pages: 3, share: 0.05 };
/** The same for numbers at a constant offset from their page numbers. */
const NUMBERED = { pages: 3, share: 0.2 };
/** The same for Roman numerals, which a preface has. */
const ROMAN = { pages: 3, share: 0 };
/** Headers and footers are separated from the text by at least this factor of the usual line spacing. */
const APART = 1.35;

/**
 * Leaves out the headers and footers that pages repeat: titles of documents and chapters, and page numbers.
 * Words that stand nowhere else come once at the end, where they interrupt no text.
 */
export function removeFurniture(pages: readonly (readonly Line[])[]): Line[] {
  const size = sizeOf(pages.flat());
  const usual = usualGap(pages);
  const edgesByPage = pages.map(edgesOf);
  const edges = edgesByPage.flat();
  const count = (keysOf: (edge: Edge) => readonly string[], { pages: some, share }: typeof REPEATED) => {
    const counts = new Map<string, number>();
    for (const key of edges.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
    const least = Math.max(some, pages.length * share);
    return (key: string) => (counts.get(key) ?? 0) >= least;
  };
  const isOffset = count(offsetsOf, NUMBERED);
  const wordsOf = (edge: Edge) => withoutPageNumber(edge, isOffset);
  const isRepeated = count((edge) => [wordsOf(edge)], REPEATED);
  const isRoman = count(romanOf, ROMAN);

  const atEdges = new Set(edges.map(({ line }) => line));
  const inText = new Set(pages.flat().flatMap((line) => (atEdges.has(line) ? [] : [lettersOf(line)])));
  const isSmall = (edge: Edge) => edge.line.size <= size * 1.05;
  const isBare = (edge: Edge) =>
    isSmall(edge) && (wordsOf(edge) === `${edge.side} ${PAGE}` || romanOf(edge).some(isRoman));
  const isNumber = (edge: Edge) => isBare(edge) || (isSmall(edge) && isTitleWithNumber(wordsOf(edge)));
  // A number that counts up with the pages may belong to a heading, and a large line on the first page is the title.
  const isRunningTitle = (edge: Edge) =>
    isRepeated(wordsOf(edge)) && !wordsOf(edge).includes(PAGE) && (edge.line.page > 1 || isSmall(edge));
  const furniture = new Set<Line>();
  const kept = new Set<Line>();
  for (const side of ['top', 'bottom'] as const) {
    for (const page of edgesByPage) {
      const removed: Line[] = [];
      for (const edge of page.filter((edge) => edge.side === side)) {
        if (!isNumber(edge) && !isRunningTitle(edge)) break;
        removed.push(edge.line);
        // Of two lines at an edge, both go, or the outer one if it stands apart from the other.
        if (isBare(edge) || isApart(edge, usual)) for (const line of removed.splice(0)) furniture.add(line);
      }
    }
  }
  for (const edge of edges) {
    const letters = lettersOf(edge.line);
    if (!furniture.has(edge.line) || isBare(edge) || inText.has(letters)) continue;
    inText.add(letters);
    kept.add(edge.line);
  }
  return [...pages.flatMap((page) => page.filter((line) => !furniture.has(line))), ...kept];
}

interface Edge {
  line: Line;
  side: 'top' | 'bottom';
  /** Whether no line of the page is nearer to its edge. */
  isOutermost: boolean;
  /** The next line towards the middle of the page. */
  inner: Line | undefined;
}

/** The outermost lines of a page at both edges, from the edge inwards. */
function edgesOf(page: readonly Line[]): Edge[] {
  const sorted = page.toSorted((a, b) => a.depth - b.depth);
  const edge = (lines: readonly Line[], side: Edge['side']): Edge[] =>
    lines
      .slice(0, LINES)
      .filter(({ depth }) => (side === 'top' ? depth < 0.5 : depth > 0.5))
      .map((line, at) => ({ line, side, isOutermost: at === 0, inner: lines[at + 1] }));
  return [...edge(sorted, 'top'), ...edge(sorted.toReversed(), 'bottom')];
}

/** A heading may have another number, or none, at the edge of a page. */
function lettersOf({ text }: Line): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '');
}

function isApart({ line, inner }: Edge, usual: number): boolean {
  return inner === undefined || Math.abs(line.y - inner.y) > usual * APART;
}

/** The median distance of two lines of a document, one below the other. */
function usualGap(pages: readonly (readonly Line[])[]): number {
  const gaps = pages.flatMap((page) =>
    page.flatMap((line, at) => {
      const gap = (page[at - 1]?.y ?? line.y) - line.y;
      return gap > line.size * 0.8 && gap < line.size * 3 ? [gap] : [];
    }),
  );
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
}

/** Stands for the number of a page. */
const PAGE = '#';
const NUMBER = /(?<![\w.,])\d{1,4}(?![\w.,]\w|\w)/g;

/**
 * The side and the words of a line, with a sign in place of a page number.
 * A line with only a page number becomes the sign.
 */
function withoutPageNumber(
  { line: { text, page }, side, isOutermost }: Edge,
  isOffset: (key: string) => boolean,
): string {
  const words = isOutermost
    ? text.replace(NUMBER, (number) => (isOffset(`${side} ${Number(number) - page}`) ? PAGE : number))
    : text;
  return `${side} ${words.toLowerCase().replace(BESIDE_NUMBER, PAGE)}`;
}

/** Words and signs that stand beside the number of a page, and the count of all pages. */
const BESIDE_NUMBER =
  /^(?:page|seite|página|pagina|p\.)?(?:\s*[-–—|]+)?\s*#(?:\s*(?:\/|of|von|sur|de|di|\|)\s*(?:\d{1,4}|#))?(?:\s*[-–—|]+|\s*)$/i;

/** Whether a number begins or ends a line of several words. "Question 3" may be the heading of a page. */
function isTitleWithNumber(words: string): boolean {
  const [, ...said] = words.split(' ');
  return said.length > 2 && said.length < 16 && (said[0] === PAGE || said.at(-1) === PAGE);
}

/** The offsets between the numbers of an outermost line and its page number. */
function offsetsOf({ line: { text, page }, side, isOutermost }: Edge): string[] {
  return isOutermost ? (text.match(NUMBER) ?? []).map((number) => `${side} ${Number(number) - page}`) : [];
}

function romanOf({ line: { text }, side, isOutermost }: Edge): string[] {
  return isOutermost && /^[ivxlc]{1,7}$/.test(text) ? [side] : [];
}
