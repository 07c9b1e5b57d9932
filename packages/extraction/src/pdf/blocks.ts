import { unspacedLetter } from '@recollect/contract/text';
import type { Line } from './lines.js';

/** Lines that belong together. The text of rows and code has several lines. */
export interface Block {
  kind: 'text' | 'item' | 'rows' | 'code';
  text: string;
  size: number;
  /** Where it begins: on which page, and how far from its left edge. */
  page: number;
  left: number;
}

/** A bullet, and the sign of a list of points. */
const BULLET = /^[•◦▪‣∙●○■□➢✓✔☐❖►▶→⁃·\uf0b7\uf0a7\uf0d8]\s*|^[*–—-]\s+(?=\p{L})/u;
/** Of these, some also stand within a sentence. */
const CERTAIN = /^[•◦▪‣●○■□➢✓✔☐❖►▶⁃\uf0b7\uf0a7\uf0d8]/u;
/** The number of a point or of an entry of the literature. */
const NUMBERED = /^(?:\d{1,2}(?:\.\d{1,2})+\.?|\(?(?:\d{1,2}|[a-z])[.)]|\[[\w+-]{1,12}\])\s+(?=\S)/iu;
const SENTENCE_END = /[.!?:;…。！？](?:["'”’)\]]|\s)*$/u;
/** Dots that lead to the number of a page. */
const LEADER = /(?:\s?[.·…]){4,}\s*/;
const LEADERS = new RegExp(LEADER, 'g');
/** Words that stand alone, as in a figure: so many blocks of so many words each, at least and at most. */
const SCATTERED = { blocks: 3, words: 3 };

/** Sizes that differ by this share are different ones. */
const SAME_SIZE = 0.08;
/** A gap between lines that is larger than the usual one by this factor ends a paragraph. */
const WIDE_GAP = 1.35;
/** An indentation, in sizes of the font. */
const INDENT = 0.8;
/** The share of the width of its column that the last line of a paragraph may lack without being short. */
const SHORT = 0.15;

/** The lines of a paragraph that say how far its lines reach. */
const LATELY = 20;

/** Maximum width, as a share of the page, of a line that stays separate, such as a line of an address. */
const VERY_SHORT = 0.33;

/** Joins lines to paragraphs, points of lists, rows of tables and programs. */
export function blocksOf(lines: readonly Line[]): Block[] {
  const gaps = usualGaps(lines);
  const edges = rightEdges(lines);
  const blocks: Block[] = [];
  const isWide = (before: Line, line: Line) =>
    before.page !== line.page || before.y - line.y > usualGap(gaps, line) * WIDE_GAP;
  let open: Line[] = [];
  const close = () => {
    const block = toBlock(open);
    if (block !== null) blocks.push(block);
    open = [];
  };
  for (const [at, given] of lines.entries()) {
    const [before, after] = [lines[at - 1], lines[at + 1]];
    // Within a paragraph, a name or a command may fill a line.
    const isWord = given.isCode && before?.isCode === false && after?.isCode !== true && !isWide(before, given);
    const isCode = given.isCode && !isWord;
    const line = { ...given, isCode, isRow: !isCode && (given.isRow || LEADER.test(given.text)) };
    if (open.length > 0 && !belongs(open, line, { gaps, edges })) close();
    open.push(line);
  }
  close();
  return gather(blocks);
}

interface Layout {
  /** The usual distance of two lines, by the size of the font. */
  gaps: ReadonlyMap<number, number>;
  /** Where lines end that begin at a place of a page. */
  edges: (line: Line) => number;
}

function belongs(open: readonly Line[], line: Line, { gaps, edges }: Layout): boolean {
  const [first] = open;
  const last = open.at(-1);
  if (first === undefined || last === undefined) return false;
  if (last.isCode !== line.isCode || last.isRow !== line.isRow) return false;
  if (!isSameSize(last.size, line.size)) return false;
  const fall = last.page === line.page ? last.y - line.y : -1;
  const isWide = fall > usualGap(gaps, line) * WIDE_GAP;
  if (line.isCode || line.isRow) return fall > 0 && !(isWide && line.isRow);
  if (isWide || CERTAIN.test(line.text)) return false;
  const lately = open.slice(-LATELY);
  const edge = lately.length > 1 ? Math.max(...lately.map(({ right }) => right)) : edges(last);
  const isShort = last.right < edge - SHORT * (edge - last.left);
  const ends = SENTENCE_END.test(last.text);
  // The sign of a point, such as the mark of a source, may also begin a line within a sentence.
  if (isItem(line) && (isShort || ends || Math.abs(line.left - last.left) > 0.3 * line.size)) return false;
  // On the next page, or at the top of the next column.
  if (fall <= 0) return !isShort && (!ends || /^\p{Ll}/u.test(line.text));
  // The lines of a point begin to the right of its sign.
  if (isItem(first)) return line.left > first.left + 0.3 * line.size;
  if (isShort && ends) return false;
  const isVeryShort = last.right < last.left + VERY_SHORT * (edges(last) - last.left);
  if (isVeryShort && open.length === 1 && /^\p{Lu}/u.test(line.text)) return false;
  if (isIndented(line, last)) return open.length === 1 && !ends;
  return line.left > first.left - 4 * line.size;
}

function isItem({ text }: Line): boolean {
  return BULLET.test(text) || NUMBERED.test(text);
}

function isIndented(line: Line, before: Line): boolean {
  return line.left - before.left > INDENT * line.size;
}

function isSameSize(one: number, other: number): boolean {
  return Math.abs(one - other) <= one * SAME_SIZE;
}

function usualGap(gaps: Layout['gaps'], { size }: Line): number {
  return gaps.get(size) ?? size * 1.2;
}

/** Joins consecutive scattered words, such as the labels of a figure. */
function gather(blocks: readonly Block[]): Block[] {
  const isAlone = ({ kind, text }: Block) =>
    kind === 'text' && text.split(' ').length <= SCATTERED.words && !SENTENCE_END.test(text);
  const gathered: Block[] = [];
  for (let at = 0; at < blocks.length; ) {
    const size = blocks[at]?.size ?? 0;
    let end = at;
    for (let next = blocks[end]; next !== undefined && isAlone(next) && isSameSize(next.size, size); next = blocks[end])
      end += 1;
    const run = blocks.slice(at, end);
    const [first] = run;
    const lefts = new Set(run.map(({ left }) => Math.round(left / 5)));
    if (first !== undefined && run.length >= SCATTERED.blocks && lefts.size > run.length / 2)
      gathered.push({ ...first, text: run.map(({ text }) => text).join(' ') });
    else for (const block of run) gathered.push(block);
    at += run.length;
    const next = blocks[at];
    if (run.length > 0 || next === undefined) continue;
    gathered.push(next);
    at += 1;
  }
  return gathered;
}

/** The median distance of two lines of a size, one below the other. */
function usualGaps(lines: readonly Line[]): ReadonlyMap<number, number> {
  const all = new Map<number, number[]>();
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (before === undefined || before.page !== line.page || before.size !== line.size) continue;
    const fall = before.y - line.y;
    if (fall < line.size * 0.8 || fall > line.size * 3) continue;
    const falls = all.get(line.size);
    if (falls === undefined) all.set(line.size, [fall]);
    else falls.push(fall);
  }
  return new Map([...all].map(([size, falls]) => [size, falls.sort((a, b) => a - b)[falls.length >> 1] ?? size * 1.2]));
}

/** The right edge of a column: the furthest end of all lines of a page that begin near a place. */
function rightEdges(lines: readonly Line[]): Layout['edges'] {
  const NEAR = 40;
  const keyOf = ({ page, left }: Line, by = 0) => `${page} ${Math.round(left / NEAR) + by}`;
  const furthest = new Map<string, number>();
  for (const line of lines) furthest.set(keyOf(line), Math.max(furthest.get(keyOf(line)) ?? 0, line.right));
  return (line) => Math.max(line.right, ...[-1, 0, 1].map((by) => furthest.get(keyOf(line, by)) ?? 0));
}

function toBlock(lines: readonly Line[]): Block | null {
  const [first] = lines;
  if (first === undefined) return null;
  const { page, size, left } = first;
  if (first.isCode) return { kind: 'code', text: indented(lines), size, page, left };
  if (first.isRow)
    return { kind: 'rows', text: lines.map(({ text }) => text.replace(LEADERS, ' … ')).join('\n'), size, page, left };
  const text = lines
    .map((line, at) => separatorOf(lines[at - 1]?.text, line.text) + line.text)
    .join('')
    .replace(LEADERS, ' … ');
  return BULLET.test(text)
    ? { kind: 'item', text: text.replace(BULLET, ''), size, page, left }
    : { kind: 'text', text, size, page, left };
}

/** Chinese and Japanese have no space where a line ends. */
function separatorOf(before: string | undefined, next: string): string {
  if (before === undefined) return '';
  return [before.at(-1), next[0]].every((letter) => UNSPACED.test(letter ?? '')) ? '' : ' ';
}

const UNSPACED = new RegExp(`${unspacedLetter.source}|[、。，．「」『』（）]`, 'u');

/** The lines of a program with their indentation, of which a PDF has only the places. */
function indented(lines: readonly Line[]): string {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Number.POSITIVE_INFINITY);
  const widths = lines.filter(({ text }) => text.length > 0).map((line) => (line.right - line.left) / line.text.length);
  const width = widths.sort((a, b) => a - b)[widths.length >> 1] || 1;
  return lines.map((line) => ' '.repeat(Math.min(80, Math.round((line.left - left) / width))) + line.text).join('\n');
}
