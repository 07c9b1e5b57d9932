import type { Place } from '@recollect/contract/vocabulary';
import { parse } from 'csv-parse/sync';
import { defineImporter, type Entry, type ImportFile, type Item, readEach } from './importer.js';
import { INSTAPAPER_STATES, placeInInstapaper } from './lists-of-links.js';
import { linkItem, quoteItem } from './to-capture.js';
import { instantOf, textsOf } from './values.js';

/** A row by the names of its columns, in lower case. */
export type Row = Readonly<Record<string, string | undefined>>;

/** An importer of tables that have certain columns; others are ignored. */
export function ofTable(program: string, columns: readonly string[], readRow: (row: Row) => Item) {
  return defineImporter({
    program,
    detects: (file) => hasColumns(file, columns),
    *read(file) {
      yield* readRows(file, readRow);
    },
  });
}

/** Whether a file is a table that has these columns, besides others. */
export function hasColumns(file: ImportFile, columns: readonly string[]): boolean {
  const fileColumns = columnsOf(file);
  return columns.every((column) => fileColumns.includes(column));
}

/** The rows of a table as entries, and the fault after which it cannot be read. */
export function* readRows({ name, text }: ImportFile, readRow: (row: Row) => Item | Promise<Item>): Generator<Entry> {
  const { rows, fault } = parseRows(text);
  yield* readEach(rows, readRow, (row) => row.title || row['book title'] || row.url || name);
  if (fault === null) return;
  const after = `${name}, after row ${rows.length}`;
  yield { name: after, read: () => ({ skipped: after, reason: fault }) };
}

/** The rows of a table, up to the first that cannot be read. */
function parseRows(text: string): { rows: Row[]; fault: string | null } {
  const rows: Row[] = [];
  try {
    parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      columns: (names: string[]) => names.map(columnKey),
      relaxColumnCount: true,
      relaxQuotes: true,
      skipEmptyLines: true,
      onRecord(row: Row) {
        rows.push(row);
        return null;
      },
    });
    return { rows, fault: null };
  } catch (error) {
    return { rows, fault: `The table cannot be read from there on: ${(error as Error).message}.` };
  }
}

function columnsOf({ text }: ImportFile): string[] {
  const line = firstLineOf(text);
  const separator = separatorOf(text);
  return line.includes(separator) ? line.split(separator).map(columnKey) : [];
}

/** The column separators that spreadsheets use when they save a table again: a semicolon or a tab. */
function separatorOf(text: string): string {
  const line = firstLineOf(text);
  return [',', ';', '\t'].find((separator) => line.includes(separator)) ?? ',';
}

function firstLineOf(text: string): string {
  return /^\uFEFF?\s*([^\r\n]*)/.exec(text.slice(0, 4_096))?.[1] ?? '';
}

function columnKey(column: string): string {
  return column.replace(/"/g, '').trim().toLowerCase();
}

export const pocket = ofTable('Pocket', ['title', 'url', 'time_added', 'status'], (row) =>
  linkItem({
    url: row.url ?? '',
    title: row.title === row.url ? '' : (row.title ?? ''),
    tags: (row.tags ?? '').split('|'),
    at: instantOf(row.time_added),
    isRead: row.status === 'archive',
    place: row.status === 'archive' ? 'archive' : 'later',
  }),
);

export const instapaper = ofTable('Instapaper', ['url', 'title', 'selection', 'folder'], (row) => {
  const folder = row.folder ?? '';
  const state = folder.toLowerCase();
  return linkItem({
    url: row.url ?? '',
    title: row.title ?? '',
    description: row.selection,
    tags: listIn(row.tags),
    folder: INSTAPAPER_STATES.includes(state) ? [] : [folder],
    at: instantOf(row.timestamp),
    isStarred: ['starred', 'liked'].includes(state),
    isRead: state === 'archive',
    place: placeInInstapaper(state),
  });
});

function readRaindrop(row: Row): Item {
  return linkItem({
    url: row.url ?? '',
    title: row.title ?? '',
    description: [row.excerpt ?? row.description ?? '', ...quotesIn(row.highlights)]
      .filter((part) => part !== '')
      .join('\n\n'),
    note: row.note,
    tags: textsOf(row.tags),
    folder: row.folder === 'Unsorted' ? [] : (row.folder ?? '').split('/'),
    at: instantOf(row.created),
    isStarred: row.favorite === 'true',
  });
}

export const raindrop = ofTable('Raindrop', ['title', 'excerpt', 'url', 'folder', 'created'], readRaindrop);

/** The export of one collection, and exports of 2022, which lack some columns. */
export const raindropCollection = ofTable('Raindrop', ['title', 'url', 'tags', 'created'], readRaindrop);

/** The lists of Readwise Reader. */
const PLACES_IN_READER: ReadonlyMap<string | undefined, Place> = new Map([
  ['new', 'inbox'],
  ['later', 'later'],
  ['shortlist', 'later'],
  ['archive', 'archive'],
]);

export const reader = ofTable('Readwise Reader', ['title', 'url', 'document tags', 'saved date'], (row) =>
  row.location === 'feed'
    ? { skipped: row.title ?? '', reason: 'It is an entry of a feed, which was not saved.', isExpected: true }
    : linkItem({
        url: row.url ?? '',
        title: row.title ?? '',
        tags: listIn(row['document tags']),
        at: instantOf(row['saved date']),
        isRead: row.location === 'archive',
        place: PLACES_IN_READER.get(row.location),
      }),
);

export const readwise = ofTable('Readwise', ['highlight', 'book title', 'book author'], (row) => {
  const quote = row.highlight?.trim() ?? '';
  const [title = '', author = ''] = [row['book title'], row['book author']];
  if (quote === '') return { skipped: title, reason: 'The highlight has no text.', isExpected: true };
  return quoteItem({
    quote,
    title,
    author,
    sourceApp: 'readwise',
    note: row.note,
    tags: [...textsOf(row.tags), ...listIn(row['document tags'])],
    at: instantOf(row['highlighted at']),
    place: row.location ?? '',
  });
});

/** A list as JSON or as Python writes it, or a text with commas. */
function listIn(text = ''): string[] {
  const [, inner] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  if (inner === undefined) return textsOf(text);
  try {
    return textsOf(JSON.parse(text));
  } catch {
    // Python's, whose texts are mostly in single quotation marks.
    const texts = inner.matchAll(/"((?:[^"\\]|\\.)*)(?:"|\\?$)|'((?:[^'\\]|\\.)*)(?:'|\\?$)/gs);
    return Array.from(texts, ([, double, single]) => unescaped(double ?? single ?? ''));
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gi, (_, wide, narrow, other) =>
    other === undefined ? String.fromCharCode(Number.parseInt(wide ?? narrow, 16)) : other,
  );
}

/** Highlights, one on each line. */
function quotesIn(text = ''): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `> ${line.trim()}`);
}
