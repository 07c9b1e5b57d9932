import { defineImporter, readEach } from './importer.js';
import { item } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, isFields, textOf } from './values.js';

/**
 * Passages that were marked in Pocket, in files beside the files of links: `[{ url, title, highlights:
 * [{ quote, created_at }] }]`.
 */
export const pocketHighlights = defineImporter({
  program: 'Pocket',
  detects(file) {
    const [first] = fieldsIn(file.head());
    return first !== undefined && typeof first.url === 'string' && isQuoted(first.highlights);
  },
  *read(file) {
    yield* readEach(fieldsOf(file.entries()), readPage, ({ title, url }) => textOf(title) || textOf(url));
  },
});

const isQuoted = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => isFields(entry) && typeof entry.quote === 'string');

function* readPage({ url, title, highlights }: Fields) {
  for (const { quote, created_at } of fieldsIn(highlights)) {
    if (textOf(quote).trim() === '') continue;
    yield item({
      capture: {
        url: textOf(url),
        title: textOf(title),
        sourceApp: 'pocket',
        captureMode: 'selection',
        selection: textOf(quote),
        capturedAt: instantOf(created_at),
      },
    });
  }
}
