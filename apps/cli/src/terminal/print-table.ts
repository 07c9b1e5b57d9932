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
  const longest = Math.max(...rows.map((row) => stringWidth(row[open] ?? '')));
  const rest = Math.max(12, Math.min(100, longest, terminalWidth() - fixed - gaps));
  const table = new Table({
    head: columns.map(({ title }) => style('dim', title)),
    colWidths: columns.map(({ width }) => (width ?? rest) + 2),
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
