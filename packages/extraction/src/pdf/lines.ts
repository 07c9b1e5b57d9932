import { searchedLetter } from '@recollect/contract/text';

/** A piece of text of a page, in the order in which the page draws it. Places are in points, from the lower left. */
export interface Piece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** The size of the font. */
  size: number;
  /** By how many quarters of a circle it is turned to the left: pages of scanners and slides are often turned as a whole. */
  turns: number;
  /** Whether all its letters have the same width, as those of programs have. */
  isCode: boolean;
}

/** A page and its edges. */
export interface PageBox {
  page: number;
  left: number;
  bottom: number;
  right: number;
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

/**
 * Joins pieces to lines. A line ends where the text goes on elsewhere: below, or at the top of the next column. What stands across the
 * other text, such as the names of axes, comes after it.
 */
export function linesOf(pieces: readonly Piece[], box: PageBox): Line[] {
  const directions = [...Map.groupBy(pieces, ({ turns }) => turns)].sort(
    (one, other) => lettersOf(other[1]) - lettersOf(one[1]),
  );
  return directions.flatMap(([turns, some], at) => {
    const lines = linesAlong(
      some.map((piece) => ({ ...piece, ...turned(piece, turns) })),
      turnedBox(box, turns),
    );
    // What stands across is at no edge.
    return at === 0 ? lines : lines.map((line) => ({ ...line, depth: 0.5 }));
  });
}

function lettersOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.trim().length, 0);
}

/** A place on a page that is turned to the right until its text is upright. */
function turned({ x, y }: { x: number; y: number }, turns: number): { x: number; y: number } {
  if (turns === 1) return { x: y, y: -x };
  if (turns === 2) return { x: -x, y: -y };
  return turns === 3 ? { x: -y, y: x } : { x, y };
}

function turnedBox({ page, left, bottom, right, top }: PageBox, turns: number): PageBox {
  const [one, other] = [turned({ x: left, y: bottom }, turns), turned({ x: right, y: top }, turns)];
  return {
    page,
    left: Math.min(one.x, other.x),
    bottom: Math.min(one.y, other.y),
    right: Math.max(one.x, other.x),
    top: Math.max(one.y, other.y),
  };
}

function linesAlong(pieces: readonly Piece[], box: PageBox): Line[] {
  const lines: Line[] = [];
  let open: Piece[] = [];
  const close = () => {
    const line = toLine(open, box);
    if (line !== null) lines.push(line);
    open = [];
  };
  for (const piece of pieces) {
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
    left: written.reduce((least, { x }) => Math.min(least, x), first.x),
    right: written.reduce((most, { x, width }) => Math.max(most, x + width), first.x),
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
