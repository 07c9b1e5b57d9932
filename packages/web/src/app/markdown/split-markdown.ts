/** Characters of a piece from which it ends at the next boundary between blocks, and at which it ends in any case. */
const MIN_PIECE_CHARACTERS = 4_000;
const MAX_PIECE_CHARACTERS = 20_000;
/** Characters of the head of a table that is repeated. A longer one would fill each piece. */
const MAX_HEAD_CHARACTERS = 2_000;
/** Maximum nesting of quotes and list items. Deeper content is shown as plain Markdown. */
const MAX_NESTING = 8;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MARKERS = new RegExp(
  `^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_NESTING}}[ \\t]*(?=[>+*-]|\\d{1,9}[.)])`,
);
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

export interface Piece {
  text: string;
  /** Where the text begins of which it was made. */
  start: number;
  /** Whether it is too long for one block of Markdown, as a minified script or a log is. */
  isPlain: boolean;
}

/**
 * Splits a Markdown text of any length into pieces that can be rendered one by one: the time that a parser takes may
 * grow with the square of the length, and no other work is done in the meantime. Pieces end between blocks, if
 * possible; a longer block of code or a longer table continues in the next piece.
 */
export function* splitMarkdown(text: string): Generator<Piece> {
  let piece = '';
  let start = 0;
  /** Where the present line begins. */
  let at = 0;
  /** The line that opened the present block of code; empty outside of one. */
  let opening = '';
  let marker = '';
  /** The first two lines of the present table. */
  let table = '';
  let before = '';
  /** How many elements that others fold are open. */
  let folds = 0;
  for (const line of linesOf(text)) {
    const isBlank = line.trim() === '';
    let isCut = false;
    const isBoundary = opening === '' && folds === 0 && before.trim() === '' && !/^\s/.test(line);
    if (
      piece !== '' &&
      ((isBoundary && piece.length > MIN_PIECE_CHARACTERS) || piece.length + line.length > MAX_PIECE_CHARACTERS)
    ) {
      yield { text: opening === '' ? piece : `${piece}${marker}\n`, start, isPlain: false };
      start = at;
      piece = isBoundary ? '' : opening || table;
      isCut = !isBoundary && piece === '';
    }
    const [, fence] = FENCE.exec(line) ?? [];
    if (opening === '' && fence !== undefined) [opening, marker] = [line, fence];
    else if (opening !== '' && fence?.startsWith(marker) === true && line.trim() === fence) opening = '';
    if (opening === '') folds = Math.max(0, folds + countOf(line, /<details\b/gi) - countOf(line, /<\/details>/gi));
    if (isBlank) table = '';
    else if (isHead(before, line)) table = before + line;
    before = line;
    at += line.length;
    if (line.length > MAX_PIECE_CHARACTERS) {
      for (const part of splitLine(line, opening, marker)) yield { ...part, start: start + part.start };
      start = at;
      continue;
    }
    // If the continuation in another piece is indented, it would be read as a program.
    const shown = isCut ? line.trimStart() : line;
    piece += opening === '' ? shown.replace(MARKERS, '$&\\') : shown;
  }
  if (piece !== '') yield { text: piece, start, isPlain: false };
}

function isHead(before: string, line: string): boolean {
  return before.length + line.length <= MAX_HEAD_CHARACTERS && before.includes('|') && DELIMITERS.test(line.trimEnd());
}

const countOf = (line: string, pattern: RegExp) => line.match(pattern)?.length ?? 0;

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield end < 0 ? text.slice(start) : text.slice(start, end + 1);
    if (end < 0) return;
    start = end + 1;
  }
}

/** Splits a line between words, or else between characters. */
function* splitLine(line: string, opening: string, marker: string): Generator<Piece> {
  for (let start = 0; start < line.length; ) {
    const space = line.lastIndexOf(' ', start + MAX_PIECE_CHARACTERS);
    let end = space > start ? space + 1 : start + MAX_PIECE_CHARACTERS;
    // Does not cut a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(line.charAt(end - 1))) end += 1;
    const part = line.slice(start, end);
    yield opening === ''
      ? { text: part, start, isPlain: true }
      : { text: `${opening}${part.replace(/\n?$/, '\n')}${marker}\n`, start, isPlain: false };
    start = end;
  }
}
