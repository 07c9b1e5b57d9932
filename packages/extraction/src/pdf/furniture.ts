import { type Line, sizeOf } from './lines.js';

/** How many lines at each edge of a page may be what pages repeat there. */
const LINES = 2;
/** Pages that have the same words at an edge, at least, and their share of all: each chapter may have its own. */
const REPEATED = { pages: 3, share: 0.05 };
/** The same for numbers that differ from those of their pages by as much. */
const NUMBERED = { pages: 3, share: 0.2 };
/** The same for Roman numerals, which a preface has. */
const ROMAN = { pages: 3, share: 0 };
/** Characters of a line that has the number of its page. */
const LONGEST = 120;

/** Leaves out what several pages have at the same edge: titles of documents and chapters, and the numbers of pages. */
export function removeFurniture(pages: readonly (readonly Line[])[]): Line[] {
  const edges = pages.flatMap(edgesOf);
  const count = (keysOf: (edge: Edge) => readonly string[], { pages: some, share }: typeof REPEATED) => {
    const counts = new Map<string, number>();
    for (const key of edges.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
    const least = Math.max(some, pages.length * share);
    return (edge: Edge) => keysOf(edge).some((key) => (counts.get(key) ?? 0) >= least);
  };
  const isRepeated = count(wordsOf, REPEATED);
  const isNumbered = count(offsetsOf, NUMBERED);
  const isRoman = count(romanOf, ROMAN);
  // Large on the first page, it is the title.
  const size = sizeOf(pages[0] ?? []);
  const isTitle = ({ line }: Edge) => line.page === 1 && line.size > size;
  const isFurniture = (edge: Edge) => isNumbered(edge) || isRoman(edge) || (isRepeated(edge) && !isTitle(edge));
  const furniture = new Set(edges.filter(isFurniture).map(({ line }) => line));
  return pages.flatMap((page) => page.filter((line) => !furniture.has(line)));
}

interface Edge {
  line: Line;
  side: 'top' | 'bottom';
  /** Whether no line of the page is nearer to its edge. */
  isOutermost: boolean;
}

/** The first and last lines of a page, by their places. */
function edgesOf(page: readonly Line[]): Edge[] {
  const sorted = page.toSorted((a, b) => a.depth - b.depth);
  const top = sorted.slice(0, LINES).filter(({ depth }) => depth < 0.5);
  const bottom = sorted.slice(-LINES).filter(({ depth }) => depth > 0.5);
  return [
    ...top.map((line, at): Edge => ({ line, side: 'top', isOutermost: at === 0 })),
    ...bottom.map((line, at): Edge => ({ line, side: 'bottom', isOutermost: at === bottom.length - 1 })),
  ];
}

/** The words of a line without its numbers; none for one that has no words. */
function wordsOf({ line: { text }, side }: Edge): string[] {
  const words = text.toLowerCase().replace(/[\d\s]+|\b[ivxlc]+\b/g, '');
  return /\p{L}/u.test(words) ? [`${side} ${words}`] : [];
}

/** By how much the numbers of an outermost line differ from that of its page. */
function offsetsOf({ line: { text, page }, side, isOutermost }: Edge): string[] {
  if (!isOutermost || text.length > LONGEST) return [];
  const numbers = text.match(/(?<![\w.,])\d{1,4}(?![\w.,]\w|\w)/g) ?? [];
  return numbers.map((number) => `${side} ${Number(number) - page}`);
}

function romanOf({ line: { text }, side, isOutermost }: Edge): string[] {
  return isOutermost && /^[ivxlc]{1,7}$/.test(text) ? [side] : [];
}
