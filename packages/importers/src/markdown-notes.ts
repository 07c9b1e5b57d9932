import { limits } from '@recollect/contract/limits';
import { defineImporter } from './importer.js';
import { inlineTags } from './inline-tags.js';
import { item } from './to-capture.js';

/** Notes in Markdown, of an archive of any program. Their front matter is read when they are saved, as that of files is. */
export const markdownNotes = defineImporter({
  program: 'notes in Markdown (Obsidian, Bear, Joplin, basic-memory)',
  detects: ({ name }) => /\.(?:md|markdown)$/i.test(name),
  *read({ name, text }) {
    if (text.trim() === '') yield { skipped: name, reason: 'The note is empty.', isExpected: true };
    else
      yield item({
        capture: {
          pageText: text.replace(/^\uFEFF/, ''),
          fileName: name.slice(-limits.capture.fileNameLength),
          tags: inlineTags(text),
        },
      });
  },
});
