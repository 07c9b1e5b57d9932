import Table from 'cli-table3';
import stringWidth from 'string-width';
import { inert, print, style } from './output.js';

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
