import type { Piece } from './lines.js';
import type { Glyph } from './read-glyphs.js';

/** Letters that are set apart: the library takes the gaps between them for spaces. */
const APART = /(?<!\S)\S(?: \S){3}(?!\S)/u;
/** Letters further apart than this share of the size are apart on purpose, such as the heads of columns. */
const WIDEST = 0.75;
/** A gap that is wider than those beside it by this share of the size is a space. */
const WIDER = 0.12;
/** Pieces of one line stand at the same height, and no cell of a table is between them, by shares of the size. */
const SAME_LINE = { height: 0.05, gap: 2 };

/** Whether some text of a page is written with its letters apart. */
export function hasLettersApart(pieces: readonly Piece[]): boolean {
  return runsOf(pieces).some((run) => APART.test(textOf(run)));
}

/** Joins the letters of words that are set apart evenly. Between words, the gap is wider, or there is a space. */
export function joinLetters(pieces: readonly Piece[], glyphs: readonly Glyph[]): Piece[] {
  const places = new Map<string, number[]>();
  for (const [at, { x, y, isSpace }] of glyphs.entries()) {
    if (isSpace) continue;
    const key = keyOf(x, y);
    const known = places.get(key);
    if (known === undefined) places.set(key, [at]);
    else known.push(at);
  }
  return runsOf(pieces).flatMap((run) => {
    const text = textOf(run);
    const [first] = run;
    if (first === undefined || !APART.test(text)) return run;
    const letters = text.replace(/\s+/g, '');
    for (const start of places.get(keyOf(first.x, first.y)) ?? []) {
      const drawn = glyphsOf(glyphs, start, letters);
      if (drawn === null) continue;
      const last = run.findLast((piece) => piece.text.trim() !== '') ?? first;
      return [{ ...first, text: wordsOf(drawn), width: last.x + last.width - first.x }];
    }
    return run;
  });
}

/** Divides pieces where the next one is on another line or in another cell. */
function runsOf(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = [];
  let last: Piece | undefined;
  for (const piece of pieces) {
    const isNext =
      last !== undefined &&
      piece.text !== '' &&
      piece.turns === 0 &&
      last.turns === 0 &&
      piece.size === last.size &&
      Math.abs(piece.y - last.y) <= piece.size * SAME_LINE.height &&
      Math.abs(piece.x - last.x - last.width) <= piece.size * SAME_LINE.gap;
    if (isNext) runs.at(-1)?.push(piece);
    else runs.push([piece]);
    last = piece;
  }
  return runs;
}

function textOf(run: readonly Piece[]): string {
  return run.map(({ text }) => text).join('');
}

function keyOf(x: number, y: number): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}

/** The glyphs from a place on that have these letters; null if there are other ones. */
function glyphsOf(glyphs: readonly Glyph[], start: number, letters: string): Glyph[] | null {
  const drawn: Glyph[] = [];
  let read = '';
  for (let at = start; read.length < letters.length; at++) {
    const glyph = glyphs[at];
    if (glyph === undefined) return null;
    drawn.push(glyph);
    if (glyph.isSpace) continue;
    read += glyph.text.normalize('NFKC').trim();
    if (!letters.startsWith(read)) return null;
  }
  return drawn;
}

function wordsOf(drawn: readonly Glyph[]): string {
  // The space between a letter and the one before it, or infinity where the page draws a space.
  const letters: { text: string; gap: number }[] = [];
  let isApart = false;
  for (const { text, isSpace, gap } of drawn) {
    if (!isSpace) letters.push({ text, gap: isApart || gap > WIDEST ? Number.POSITIVE_INFINITY : gap });
    isApart = isSpace;
  }
  return letters
    .map(({ text, gap }, at) => {
      if (at === 0) return text;
      const beside = [at === 1 ? Number.POSITIVE_INFINITY : letters[at - 1]?.gap, letters[at + 1]?.gap];
      const least = beside.reduce<number>((most, other) => Math.min(most, other ?? most), WIDEST);
      return gap > Math.max(least, 0) + WIDER ? ` ${text}` : text;
    })
    .join('');
}
