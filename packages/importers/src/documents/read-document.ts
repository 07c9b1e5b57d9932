import type { Capture } from '@recollect/contract';

import { isPageAddress } from '@recollect/contract/text';
import type { Address } from 'postal-mime';
import { pastDate } from './document.js';

/** Characters of an output that are kept: some are tables or logs of megabytes. */
const MAX_OUTPUT_CHARACTERS = 2_000;

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
async function readNotebook(bytes: Uint8Array): Promise<Capture | null> {
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
    .slice(0, MAX_OUTPUT_CHARACTERS);
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

/** Bytes from the start of an archive that have its address, in its own headers or its first part's. */
const HEAD = 64 * 1024;
const LOCATION = /^(?:Snapshot-)?Content-Location:[ \t]*(?:\r?\n[ \t]+)?(\S+)/im;

/**
 * Reads a page that a browser saved as MHTML, with its address and when it was saved. Null if there is no page in it.
 */
async function readWebArchive(bytes: Uint8Array): Promise<Capture | null> {
  const { default: PostalMime } = await import('postal-mime');
  const { html, date } = await PostalMime.parse(bytes);
  if (!html?.trim()) return null;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  const url = LOCATION.exec(head)?.[1] ?? '';
  return {
    html: firstPage(html),
    captureMode: 'page',
    url: isPageAddress(url) ? url : null,
    capturedAt: pastDate(date),
  };
}

/** The page itself. The documents of its frames follow it, and the parser joins them. */
function firstPage(html: string): string {
  const end = /<\/html\s*>/i.exec(html);
  return end === null ? html : html.slice(0, end.index + end[0].length);
}

const READERS: readonly [name: RegExp, read: (bytes: Uint8Array) => Promise<Capture | null>][] = [
  [/\.mht(?:ml)?$/i, readWebArchive],
  [/\.eml$/i, readMail],
  [/\.ipynb$/i, readNotebook],
];

/** Whether a file is by its name a saved page, a mail or a notebook. */
export function isDocument(name: string): boolean {
  return READERS.some(([pattern]) => pattern.test(name));
}

/**
 * Reads a saved page (MHTML), a mail (EML) or a Jupyter notebook as a capture without its file name. Null if it is
 * damaged, or by its name something else.
 *
 * @example
 * await readDocument(new TextEncoder().encode('Subject: Tea\n\nSteep it.'), 'tea.eml');
 * // { title: 'Tea', pageText: 'Steep it.', … }
 */
export async function readDocument(bytes: Uint8Array, name: string): Promise<Capture | null> {
  const [, read] = READERS.find(([pattern]) => pattern.test(name)) ?? [];
  try {
    return (await read?.(bytes)) ?? null;
  } catch {
    // Errors of the parsers are the file's fault: it is nested too deeply, or its headers are too long.
    return null;
  }
}

/**
 * Reads a mail: its subject as the title, who wrote it, when, and its text, or else its HTML. Null if it has neither.
 */
async function readMail(bytes: Uint8Array): Promise<Capture | null> {
  const { default: PostalMime } = await import('postal-mime');
  const { subject, from, to = [], cc = [], date, text, html, headers } = await PostalMime.parse(bytes);
  if (headers.length === 0) return null;
  const content = text?.trim() ? { pageText: text.trim() } : html?.trim() ? { html } : null;
  if (content === null) return null;
  const sender = from === undefined ? '' : from.name || (from.address ?? '');
  const recipients = [...to, ...cc].map(written).join(', ');
  return {
    ...content,
    title: subject?.trim() || null,
    captureMode: 'page',
    capturedAt: pastDate(date),
    metadata: {
      ...(sender === '' ? {} : { author: sender }),
      ...(from === undefined ? {} : { from: written(from) }),
      ...(recipients === '' ? {} : { to: recipients }),
    },
  };
}

/** An address as mails write it: `Ann <ann@example.org>`. */
function written({ name, address, group = [] }: Address): string {
  if (address === undefined) return `${name}: ${group.map(written).join(', ')}`;
  return name === '' ? address : `${name} <${address}>`;
}
