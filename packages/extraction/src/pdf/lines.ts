import { searchedLetter } from '@recollect/contract/text';

/** A piece of text of a page, in the order in which the page draws it. Places are in points, from the lower left. */
export interface Piece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** The size of the font. */
  size: number;
  /**
   * By how many quarters of a circle it is turned to the left: pages of scanners and slides are often turned as a
   * whole.
   */
  turns: number;
  /** Whether all its letters have the same width, as in code. */
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
/** Beyond this share, a backward jump starts a new line: a small line below a large one. */
const BACK = { down: 0.3, left: 0.5 };
/** Raised digits are smaller than the line by this factor, and stand higher by that share of its size. */
const EXPONENT = { factor: 0.85, raised: 0.2 };
/** A gap of this share of the size is a space, and one of the other share separates cells. */
const GAP = { word: 0.18, cell: 2 };

/**
 * Joins pieces to lines. A line ends where the next piece is below it or in another column. Rotated text, such as the
 * labels of axes, comes last.
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
    // Rotated text is never a header or footer.
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
  const [small, large] = [Math.min(last.size, next.size), Math.max(last.size, next.size, 1)];
  if (next.text.trim() === '') return true;
  const fall = Math.abs(next.y - last.y);
  if (fall > large * RAISED) return false;
  const gap = gapOf(last, next);
  if (fall > small * BACK.down && gap < -small * BACK.left) return false;
  return gap > -large * 4;
}

/** The space between two pieces, in either direction of writing. */
function gapOf(last: Piece, next: Piece): number {
  const forward = next.x - (last.x + last.width);
  const backward = last.x - (next.x + next.width);
  return Math.abs(forward) <= Math.abs(backward) ? forward : backward;
}

function toLine(pieces: readonly Piece[], { page, bottom, top }: PageBox): Line | null {
  const written = pieces.filter((piece) => piece.text.trim() !== '');
  const [first] = written;
  if (first === undefined) return null;
  const size = roundedSize(written.toSorted((a, b) => lettersOf([b]) - lettersOf([a]))[0] ?? first);
  const base = written.find((piece) => roundedSize(piece) === size) ?? first;
  let text = '';
  let last: Piece | undefined;
  let isRow = false;
  for (const piece of inReadingOrder(pieces)) {
    const gap = last === undefined || piece.text.trim() === '' ? 0 : gapOf(last, piece);
    if (gap > piece.size * GAP.cell) isRow = true;
    if (gap > piece.size * GAP.word && !/\s$/.test(text) && !/^\s/.test(piece.text)) text += ' ';
    text += isRaised(piece, base) ? toExponent(piece.text) : piece.text;
    if (piece.text.trim() !== '') last = piece;
  }
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

function roundedSize({ size }: Piece): number {
  return Math.round(size * 10) / 10;
}

/** Hebrew and Arabic, with the forms that letters have at their places in a word. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g;
const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/**
 * The pieces of a line in reading order.
 * Arabic and Hebrew run to the left, except words of other scripts and numbers within them.
 */
function inReadingOrder(pieces: readonly Piece[]): readonly Piece[] {
  const letters = pieces.map(({ text }) => text).join('');
  const toLeft = letters.match(RIGHT_TO_LEFT)?.length ?? 0;
  if (toLeft === 0 || toLeft * 3 < letters.replace(/[^\p{L}]/gu, '').length) return pieces;
  const ordered: Piece[] = [];
  let run: Piece[] = [];
  const close = () => {
    // Characters between two words of another script belong to their run; characters after them do not.
    const after = run.slice(run.findLastIndex(({ text }) => LEFT_TO_RIGHT.test(text)) + 1);
    for (const piece of run.slice(0, run.length - after.length).reverse()) ordered.push(piece);
    for (const piece of after) ordered.push(piece);
    run = [];
  };
  for (const piece of pieces.toSorted((a, b) => b.x - a.x)) {
    const isForeign = LEFT_TO_RIGHT.test(piece.text) && piece.text.search(RIGHT_TO_LEFT) < 0;
    const isOwn = piece.text.search(RIGHT_TO_LEFT) >= 0;
    if (isForeign || (run.length > 0 && !isOwn)) run.push(piece);
    else {
      close();
      ordered.push({ ...piece, text: isOwn ? piece.text.normalize('NFKC') : piece.text });
    }
  }
  close();
  return ordered;
}

function isRaised(piece: Piece, base: Piece): boolean {
  return (
    piece.size < base.size * EXPONENT.factor &&
    piece.y > base.y + base.size * EXPONENT.raised &&
    /^[\d+−-]+$/.test(piece.text.trim())
  );
}

const EXPONENTS: Readonly<Record<string, string>> = { '+': '⁺', '-': '⁻', '−': '⁻' };

/** Superscript digits, for exponents and footnote marks. */
function toExponent(text: string): string {
  return text.trim().replace(/./gu, (sign) => EXPONENTS[sign] ?? '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)] ?? sign);
}

/** The size of the font that most letters of lines have; 0 without any. */
export function sizeOf(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) letters.set(size, (letters.get(size) ?? 0) + text.length);
  const [[size = 0] = []] = [...letters].sort((a, b) => b[1] - a[1]);
  return size;
}
