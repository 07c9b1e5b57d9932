import type { Capture } from '@recollect/contract';

/** Characters of an output that are kept: some are tables or logs of megabytes. */
const LONGEST_OUTPUT = 2_000;

interface Output {
  output_type?: string;
  text?: unknown;
  data?: Record<string, unknown>;
}

interface Cell {
  cell_type?: string;
  source?: unknown;
  /** The source of a code cell before version 4. */
  input?: unknown;
  outputs?: Output[];
}

interface Notebook {
  cells?: Cell[];
  /** The cells before version 4. */
  worksheets?: { cells?: Cell[] }[];
  metadata?: { language_info?: { name?: unknown }; kernelspec?: { language?: unknown } };
}

/** Reads a Jupyter notebook as Markdown: its texts, its code and the output. Null for another file. */
export async function readNotebook(bytes: Uint8Array): Promise<Capture | null> {
  const notebook = JSON.parse(new TextDecoder().decode(bytes)) as Notebook | null;
  const cells = notebook?.cells ?? notebook?.worksheets?.flatMap((sheet) => sheet.cells ?? []);
  if (!Array.isArray(cells)) return null;
  const { language_info: info, kernelspec } = notebook?.metadata ?? {};
  const language = textOf(info?.name) || textOf(kernelspec?.language) || 'python';
  const parts = cells.flatMap((cell) => partsOf(cell, language)).filter((part) => part !== '');
  if (parts.length === 0) return null;
  const heading = parts.map((part) => /^#{1,2}[ \t]+(\S.*)$/m.exec(part)).find((match) => match !== null);
  return { pageText: parts.join('\n\n'), title: heading?.[1]?.trim() ?? null, captureMode: 'page' };
}

function partsOf(cell: Cell, language: string): string[] {
  const source = textOf(cell.source ?? cell.input).trim();
  if (cell.cell_type !== 'code') return [source];
  const printed = (cell.outputs ?? []).map(printedBy).filter((output) => output !== '');
  return [source === '' ? '' : fenced(source, language), ...printed.map((output) => fenced(output, 'text'))];
}

/** The plain text of an output. Pictures and errors are left out. */
function printedBy({ output_type: type, text, data }: Output): string {
  if (type === 'error') return '';
  return textOf(text ?? data?.['text/plain'])
    .trimEnd()
    .slice(0, LONGEST_OUTPUT);
}

/** A block of code, between fences that are longer than those in it. */
function fenced(code: string, language: string): string {
  const inner = code.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(inner.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A text, which notebooks may write as a list of its lines. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}
