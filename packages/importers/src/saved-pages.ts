import { limits } from '@recollect/contract/limits';
import { defineImporter } from './importer.js';
import { item } from './to-capture.js';

/** Characters at the beginning of a page in which a program says that it saved it. */
const HEAD = 4_096;
const SAVED = /<!--\s*(?:Page saved with SingleFile|saved from url=\(\d+\))/i;

/**
 * Pages that SingleFile or a browser saved as HTML. Their address and date are read when they are saved, from the same
 * comment.
 */
export const savedPages = defineImporter({
  program: 'saved web pages (SingleFile, browsers)',
  detects: ({ name, text }) => /\.x?html?$/i.test(name) && SAVED.test(text.slice(0, HEAD)),
  *read({ name, text }) {
    yield {
      name,
      read: () => item({ capture: { html: text, fileName: name.slice(-limits.capture.fileNameLength) } }),
    };
  },
});
