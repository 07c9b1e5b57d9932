import { spawn } from 'node:child_process';
import { markMatches } from '@recollect/contract/text';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import { type Pager, readPager } from '../config.js';
import { type Listed, rememberResults } from '../memory-references.js';
import { inert, print, style } from './output.js';
import { shownIds } from './short-id.js';

/** Columns of the terminal, or for a pipe enough for long lines. */
function terminalWidth(): number {
  // Some terminals report 0.
  return process.stdout.columns || 200;
}

export interface Column {
  title: string;
  /** In columns of the terminal. The column without a width gets the remaining space. */
  width?: number;
}

/** Prints a table that fits the terminal. The column without a width takes what it needs of the rest; more is cut. */
export function printTable(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const gaps = 2 * columns.length;
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const open = columns.findIndex(({ width }) => width === undefined);
  // A list may have more rows than a call can take arguments.
  const longest = rows.reduce((most, row) => Math.max(most, stringWidth(row[open] ?? '')), 0);
  const rest = Math.max(12, Math.min(100, longest, terminalWidth() - fixed - gaps));
  const titles = columns.map(({ title }) => style('dim', title));
  const widths = columns.map(({ width }) => (width ?? rest) + 2);
  for (let from = 0; from === 0 || from < rows.length; from += BLOCK)
    printBlock(from === 0 ? titles : [], widths, rows.slice(from, from + BLOCK));
}

/** Rows that the library prints at a time: it passes them as arguments, of which a call can take about 100,000. */
const BLOCK = 1_000;

function printBlock(head: string[], colWidths: number[], rows: readonly (readonly string[])[]): void {
  const table = new Table({
    head,
    colWidths,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: Object.fromEntries(
      ['top', 'bottom', 'left', 'right', 'mid', 'middle']
        .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
        .concat(['left-mid', 'mid-mid', 'right-mid'])
        .map((name) => [name, '']),
    ),
  });
  table.push(...rows.map((row) => row.map((cell) => inert(cell.replace(/\s+/g, ' ')))));
  print(table.toString().replace(/(?<![ \t])[ \t]+$/gm, ''));
}

/** Colours the words of a text that match a query, if standard output is a terminal with colours. */
export function colourMatches(text: string, query: string): string {
  return markMatches(text, query)
    .map((piece) => (piece.isMatch ? style('yellow', piece.text) : piece.text))
    .join('');
}

/** Prints a text, on a terminal through the user's pager if it is longer than the screen. */
export async function printLong(text: string): Promise<void> {
  const pager = process.stdout.isTTY && !fits(text) ? readPager() : null;
  if (pager === null || !(await page(pager, text))) print(text);
}

function fits(text: string): boolean {
  const { columns, rows } = process.stdout;
  // The prompt needs a row as well.
  let used = 1;
  for (const line of text.split('\n')) {
    used += Math.max(1, Math.ceil(stringWidth(line) / columns));
    if (used > rows) return false;
  }
  return true;
}

/** Shows a text in a pager until the user leaves it. False if the pager cannot be started: nothing was shown then. */
async function page({ command, isChosen, environment }: Pager, text: string): Promise<boolean> {
  const pager = spawn(command, { shell: isChosen, stdio: ['pipe', 'inherit', 'inherit'], env: environment });
  // A user who leaves the pager closes its input early.
  pager.stdin?.on('error', () => {});
  pager.stdin?.end(`${text}\n`);
  // Ctrl+C is for the pager, which stops a search with it.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const code = await new Promise<number | null>((resolve) => {
    pager.once('error', () => resolve(CANNOT_BE_FOUND));
    pager.once('exit', resolve);
  });
  process.off('SIGINT', ignore);
  return code !== CANNOT_BE_FOUND && code !== CANNOT_BE_STARTED;
}

/** Exit codes of shells. */
const CANNOT_BE_STARTED = 126;
const CANNOT_BE_FOUND = 127;

/** A memory in a list, with the cells of the list's own columns. */
interface Row extends Listed {
  cells: readonly string[];
}

/** Prints a table of memories, and keeps their order: the next command may name them `@1`, `@2` and so on. */
export async function printMemories(columns: readonly Column[], memories: readonly Row[]): Promise<void> {
  const place = { title: '', width: String(memories.length).length + 1 };
  const ids = shownIds(memories.map(({ id }) => id));
  const width = ids.reduce((most, { length }) => Math.max(most, length), 0);
  printTable(
    [place, ...columns, { title: 'title' }, { title: 'id', width }],
    memories.map(({ title, cells }, at) => [`@${at + 1}`, ...cells, title, ids[at] ?? '']),
  );
  await rememberResults(memories);
}
