import { isPageAddress } from '@recollect/contract/text';
import { defineImporter, type ImportFile, type Item, readEach } from './importer.js';
import { item, linkItem } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, textOf, textsOf } from './values.js';

/**
 * The archive of Omnivore: lists of pages, `metadata_0_to_20.json` and so on, their texts in `content` and their
 * highlights in `highlights`, under the name in `slug`.
 */
export const omnivore = defineImporter({
  program: 'Omnivore',
  detects: (file) => fieldsIn(file.head()).some((page) => 'slug' in page && 'savedAt' in page && 'url' in page),
  async *read(file) {
    yield* readEach(
      fieldsOf(file.entries()),
      (page) => readPage(page, file),
      ({ title, url }) => textOf(title) || textOf(url),
    );
  },
});

async function readPage(page: Fields, file: ImportFile): Promise<Item> {
  const [url, slug, state] = [textOf(page.url), textOf(page.slug), textOf(page.state).toLowerCase()];
  const title = textOf(page.title) || slug;
  if (state === 'deleted') return { skipped: title, reason: 'It is in the trash of Omnivore.', isExpected: true };
  const html = (await file.sibling(`content/${slug}.html`)) ?? '';
  const highlights = ((await file.sibling(`highlights/${slug}.md`)) ?? '').trim();
  const [author, published, description] = [textOf(page.author), instantOf(page.publishedAt), textOf(page.description)];
  const progress = Number(page.readingProgress ?? page.readingProgressPercent ?? 0);
  const isRead = state === 'archived' || progress >= READ_PERCENT;
  const common = {
    tags: labelsOf(page.labels),
    note: highlights,
    metadata: {
      ...(author === '' ? {} : { author }),
      ...(published === undefined ? {} : { published }),
      ...(description === '' ? {} : { description }),
    },
    isRead,
    isReading: !isRead && progress > 0,
    place: state === 'archived' ? ('archive' as const) : ('later' as const),
  };
  const at = instantOf(page.savedAt);
  const hasText = /[\p{L}\p{N}]/u.test(html.replace(/<[^<>]*>/g, ''));
  if (!hasText || !isPageAddress(url)) return linkItem({ url, title, description, at, ...common });
  const { tags, note, metadata, ...states } = common;
  return item({
    capture: { url, title, html, captureMode: 'page', sourceApp: 'omnivore', tags, note, metadata, capturedAt: at },
    ...states,
  });
}

/** Percent from which a page counts as read, since its end is often a list of other pages. */
const READ_PERCENT = 98;

/** Names, or objects with one. */
function labelsOf(labels: unknown): string[] {
  return [...textsOf(Array.isArray(labels) ? labels : []), ...fieldsIn(labels).map(({ name }) => textOf(name))];
}
