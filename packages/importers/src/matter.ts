import { isPageAddress } from '@recollect/contract/text';
import { defineImporter, type ImportFile, type Item } from './importer.js';
import { hasColumns, ofTable, type Row, readRows } from './tables.js';
import { item, linkItem, quoteItem } from './to-capture.js';
import { instantOf, textsOf } from './values.js';

/** The archive of Matter: a table of the pages, whose texts are files beside it. */
export const matter = defineImporter({
  program: 'Matter',
  detects: (file) => hasColumns(file, ['title', 'url', 'word count', 'last interaction date']),
  async *read(file) {
    yield* readRows(file, (row) => readPage(row, file));
  },
});

async function readPage(row: Row, file: ImportFile): Promise<Item> {
  const [url, title] = [row.url ?? '', row.title ?? ''];
  const [author, publisher] = [row.author?.trim(), row.publisher?.trim()];
  const common = {
    tags: textsOf(row.tags),
    metadata: { ...(author ? { author } : {}), ...(publisher ? { publisher } : {}) },
    isStarred: isTrue(row.favorited),
    isRead: isTrue(row.read),
    place: isTrue(row['in queue']) ? ('later' as const) : ('archive' as const),
  };
  const at = instantOf(row['last interaction date']);
  const id = row['file id']?.trim();
  const html = id ? ((await file.sibling(id)) ?? (await file.sibling(`${id}.html`)) ?? '') : '';
  const hasText = /[\p{L}\p{N}]/u.test(html.replace(/<[^<>]*>/g, ''));
  if (!hasText || !isPageAddress(url)) return linkItem({ url, title, at, ...common });
  const { tags, metadata, ...states } = common;
  return item({
    capture: { url, title, html, captureMode: 'page', sourceApp: 'matter', tags, metadata, capturedAt: at },
    ...states,
  });
}

/** The table of highlights in the archive of Matter. */
export const matterHighlights = ofTable('Matter', ['title', 'author', 'text', 'highlighted date'], (row) => {
  const [quote, title] = [row.text?.trim() ?? '', row.title ?? ''];
  if (quote === '') return { skipped: title, reason: 'The highlight has no text.', isExpected: true };
  return quoteItem({
    quote,
    title,
    author: row.author ?? '',
    place: row.url ?? '',
    sourceApp: 'matter',
    note: row.note,
    at: instantOf(row['highlighted date']),
  });
});

function isTrue(value = ''): boolean {
  return value.trim().toLowerCase() === 'true';
}
