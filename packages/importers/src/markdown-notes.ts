import { limits } from '@recollect/contract/limits';
import { defineImporter, type Item } from './importer.js';
import { inlineTags } from './inline-tags.js';
import { item } from './to-capture.js';
import { dateOfName } from './values.js';

/** Notes in Markdown, from an archive of any program. As for files, their front matter is read when they are saved. */
export const markdownNotes = defineImporter({
  program: 'notes in Markdown (Obsidian, Bear, Joplin, basic-memory)',
  detects: ({ name }) => /\.(?:md|markdown|mdown|mkd)$/i.test(name),
  *read({ name, text }) {
    yield { name, read: () => readNote(name, text) };
  },
});

function readNote(name: string, text: string): Item {
  if (text.trim() === '') return { skipped: name, reason: 'The note is empty.', isExpected: true };
  return item({
    capture: {
      pageText: text.replace(/^\uFEFF/, ''),
      fileName: name.slice(-limits.capture.fileNameLength),
      tags: inlineTags(text),
      // The name of a journal's page is its day; the front matter of others says when they were written.
      capturedAt: dateOfName(name),
    },
  });
}
