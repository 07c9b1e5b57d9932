import { type Line, sizeOf } from './lines.js';

/** How many lines at each edge of a page may be what pages repeat there. */
const LINES = 2;
/** Pages that have the same words at an edge, at least, and their share of all: each chapter may have its own. */
const REPEATED = { pages: 3, share: 0.05 };
/** Pages whose numbers follow each other, at least. */
const NUMBERED = 3;

/** Leaves out what several pages have at the same edge: titles of documents and chapters, and the numbers of pages. */
export function removeFurniture(pages: readonly (readonly Line[])[]): Line[] {
  const edges = pages.flatMap(edgesOf);
  const count = (keyOf: (edge: Edge) => string | null, least: number) => {
    const counts = new Map<string, number>();
    for (const key of edges.map(keyOf)) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
    return (edge: Edge) => (counts.get(keyOf(edge) ?? '') ?? 0) >= least;
  };
  const isRepeated = count(wordsOf, Math.max(REPEATED.pages, pages.length * REPEATED.share));
  const isNumbered = count(offsetOf, NUMBERED);
  // Large on the first page, it is the title.
  const size = sizeOf(pages[0] ?? []);
  const isTitle = ({ line }: Edge) => line.page === 1 && line.size > size;
  const isFurniture = (edge: Edge) => isNumbered(edge) || (isRepeated(edge) && !isTitle(edge));
  const furniture = new Set(edges.filter(isFurniture).map(({ line }) => line));
  return pages.flatMap((page) => page.filter((line) => !furniture.has(line)));
}

interface Edge {
  line: Line;
  side: 'top' | 'bottom';
}

/** The first and last lines of a page, by their places. */
function edgesOf(page: readonly Line[]): Edge[] {
  const sorted = page.toSorted((a, b) => a.depth - b.depth);
  const top = sorted.slice(0, LINES).filter(({ depth }) => depth < 0.5);
  const bottom = sorted.slice(-LINES).filter(({ depth }) => depth > 0.5);
  return [
    ...top.map((line): Edge => ({ line, side: 'top' })),
    ...bottom.map((line): Edge => ({ line, side: 'bottom' })),
  ];
}

/** The words of a line without its numbers. Null for one that has no words. */
function wordsOf({ line: { text }, side }: Edge): string | null {
  const words = text.toLowerCase().replace(/[\d\s]+|\b[ivxlc]+\b/g, '');
  return /\p{L}/u.test(words) ? `${side} ${words}` : null;
}

/** By how much the number at the beginning or end of a line differs from that of its page. Null without a number. */
function offsetOf({ line: { text, page }, side }: Edge): string | null {
  const number = /^\W*(\d{1,4})(?!\S*\d)(?:\W|$)/.exec(text)?.[1] ?? /(?:^|\s|\W)(\d{1,4})\W*$/.exec(text)?.[1];
  const isRoman = number === undefined && /^[ivxlc]{1,7}$/.test(text);
  if (isRoman) return `${side} roman`;
  return number === undefined ? null : `${side} ${Number(number) - page}`;
}
