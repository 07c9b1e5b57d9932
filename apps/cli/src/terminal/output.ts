import { styleText } from 'node:util';
import { count } from '@recollect/contract/text';
import Table from 'cli-table3';

type Style = Parameters<typeof styleText>[0];

/** Styles text if standard output is a terminal with colours. */
export function style(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Stored text that is safe to print: without the control characters by which a page could move the cursor, set the title
 * or change the direction of nearby text. `--json` prints the text unchanged.
 */
export function inert(text: string): string {
  return text.replace(CONTROLS, '');
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Columns of the terminal, or for a pipe enough for long lines. */
function terminalWidth(): number {
  return process.stdout.columns ?? 200;
}

export interface Column {
  title: string;
  /** In characters. The column without a width gets the remaining space. */
  width?: number;
}

/** Prints a table that fits the terminal. The column without a width takes what it needs of the rest; more is cut. */
export function printTable(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const gaps = 2 * columns.length;
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const open = columns.findIndex(({ width }) => width === undefined);
  const longest = Math.max(...rows.map((row) => row[open]?.length ?? 0));
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
  print(table.toString().replace(/[ \t]+$/gm, ''));
}

/** The time since an instant in words, such as `2 hours ago`. */
export function ago(instant: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(instant)) / 1_000));
  const steps = [
    { unit: 'year', seconds: 31_557_600 },
    { unit: 'month', seconds: 2_629_800 },
    { unit: 'day', seconds: 86_400 },
    { unit: 'hour', seconds: 3_600 },
    { unit: 'minute', seconds: 60 },
  ];
  for (const step of steps) {
    const number = Math.floor(seconds / step.seconds);
    if (number > 0) return `${count(number, step.unit)} ago`;
  }
  return 'just now';
}
