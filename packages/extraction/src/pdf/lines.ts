import { searchedLetter } from '@recollect/contract/text';

/** A piece of text of a page, in the order in which the page draws it. Places are in points, from the lower left. */
export interface Piece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** The size of the font. */
  size: number;
  /** Whether it is written from left to right or right to left, rather than up or down. */
  isUpright: boolean;
  /** Whether all its letters have the same width, as those of programs have. */
  isCode: boolean;
}

/** The edges of a page. */
export interface PageBox {
  page: number;
  bottom: number;
  top: number;
}

/** A line of text on a page. */
export interface Line {
  text: string;
  page: number;
  left: number;
  right: number;
  /** Where its letters stand. */
  y: number;
  /** The size of the font that most of it has. */
  size: number;
  /** Where the line is on its page: 0 is the upper edge, and 1 the lower one. */
  depth: number;
  isCode: boolean;
  /** Whether wide gaps divide it, as those between the cells of a table. */
  isRow: boolean;
}

/** Pieces on one line are moved up or down by at most this share of the size: marks of footnotes, exponents. */
const RAISED = 0.6;
/** A gap of this share of the size is a space, and one of the other share separates cells. */
const GAP = { word: 0.18, cell: 2 };

/** Joins pieces to lines. A line ends where the text goes on elsewhere: below, or at the top of the next column. */
export function linesOf(pieces: readonly Piece[], box: PageBox): Line[] {
  const lines: Line[] = [];
  let open: Piece[] = [];
  const close = () => {
    const line = toLine(open, box);
    if (line !== null) lines.push(line);
    open = [];
  };
  for (const piece of pieces) {
    // Watermarks and the axes of figures.
    if (!piece.isUpright) continue;
    const last = open.at(-1);
    if (last !== undefined && !continues(last, piece)) close();
    if (piece.text !== '') open.push(piece);
  }
  close();
  return lines;
}

function continues(last: Piece, next: Piece): boolean {
  const size = Math.max(last.size, next.size, 1);
  if (next.text.trim() === '') return true;
  if (Math.abs(next.y - last.y) > size * RAISED) return false;
  return gapOf(last, next) > -size * 4;
}

/** The space between two pieces, in either direction of writing. */
function gapOf(last: Piece, next: Piece): number {
  const forward = next.x - (last.x + last.width);
  const backward = last.x - (next.x + next.width);
  return Math.abs(forward) <= Math.abs(backward) ? forward : backward;
}

function toLine(pieces: readonly Piece[], { page, bottom, top }: PageBox): Line | null {
  let text = '';
  let last: Piece | undefined;
  let isRow = false;
  const sizes = new Map<number, number>();
  for (const piece of pieces) {
    const gap = last === undefined || piece.text.trim() === '' ? 0 : gapOf(last, piece);
    const isApart = gap > piece.size * GAP.word;
    if (gap > piece.size * GAP.cell) isRow = true;
    if (isApart && !/\s$/.test(text) && !/^\s/.test(piece.text)) text += ' ';
    text += piece.text;
    const size = Math.round(piece.size * 10) / 10;
    sizes.set(size, (sizes.get(size) ?? 0) + piece.text.trim().length);
    if (piece.text.trim() !== '') last = piece;
  }
  const written = pieces.filter((piece) => piece.text.trim() !== '');
  const [first] = written;
  if (first === undefined) return null;
  const [[size = 0] = []] = [...sizes].sort((a, b) => b[1] - a[1]);
  const base = written.find((piece) => Math.abs(piece.size - size) < 0.1) ?? first;
  return {
    text: text.replace(/\s+/g, ' ').trim(),
    page,
    left: Math.min(...written.map(({ x }) => x)),
    right: Math.max(...written.map(({ x, width }) => x + width)),
    y: base.y,
    size,
    depth: top > bottom ? (top - base.y) / (top - bottom) : 0,
    // Chinese, Japanese and Korean letters have the same width in most fonts.
    isCode: written.every((piece) => piece.isCode) && !searchedLetter.test(text),
    isRow,
  };
}

/** The size of the font that most letters of lines have; 0 without any. */
export function sizeOf(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) letters.set(size, (letters.get(size) ?? 0) + text.length);
  const [[size = 0] = []] = [...letters].sort((a, b) => b[1] - a[1]);
  return size;
}
