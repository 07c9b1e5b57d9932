import { karakeep, linkwarden, wallabag } from './bookmark-managers.js';
import { bookmarks } from './bookmarks.js';
import { chatGpt } from './chatgpt.js';
import { claude } from './claude.js';
import type { Importer, ImportFile } from './importer.js';
import { keep, kindle, memoryService, referenceMemory } from './notes.js';
import { instapaper, pocket, raindrop, reader, readwise } from './tables.js';

export { importFile } from './import-file.js';
export type { ImportedItem, Importer, ImportFile, Item, SkippedItem } from './importer.js';
export { type ReadFilesOptions, readFiles, UnreadableArchiveError } from './read-files.js';

/** What exports can be read. A file belongs to the first importer that detects it. */
export const importers: readonly Importer[] = [
  chatGpt,
  claude,
  karakeep,
  linkwarden,
  wallabag,
  keep,
  memoryService,
  referenceMemory,
  bookmarks,
  pocket,
  instapaper,
  raindrop,
  reader,
  readwise,
  kindle,
];

/** The importer for a file; undefined if it is no export of a known program. */
export function findImporter(file: ImportFile): Importer | undefined {
  return importers.find((importer) => importer.detects(file));
}
