import { karakeep, linkwarden, wallabag } from './bookmark-managers.js';
import { bookmarks } from './bookmarks.js';
import { chrome, firefox } from './browser-backups.js';
import { captures } from './captures.js';
import { chatGpt } from './chatgpt.js';
import { claude, claudeMemories, claudeProjects } from './claude.js';
import { evernote } from './evernote.js';
import { gemini } from './gemini.js';
import type { Importer, ImportFile } from './importer.js';
import { joplin } from './joplin.js';
import { kindle } from './kindle.js';
import { addressList, instapaperPage, opml } from './lists-of-links.js';
import { markdownNotes } from './markdown-notes.js';
import { matter, matterHighlights } from './matter.js';
import { keep, memoryService } from './notes.js';
import { notion } from './notion.js';
import { omnivore } from './omnivore.js';
import { pocketHighlights } from './pocket-highlights.js';
import { referenceMemory } from './reference-memory.js';
import { savedPages } from './saved-pages.js';
import { instapaper, pocket, raindrop, raindropCollection, reader, readwise } from './tables.js';

/** All importers. A file belongs to the first importer that detects it. */
export const importers: readonly Importer[] = [
  chatGpt,
  claude,
  claudeMemories,
  claudeProjects,
  gemini,
  karakeep,
  linkwarden,
  wallabag,
  omnivore,
  keep,
  memoryService,
  referenceMemory,
  bookmarks,
  firefox,
  chrome,
  instapaperPage,
  opml,
  pocket,
  pocketHighlights,
  instapaper,
  raindrop,
  reader,
  readwise,
  raindropCollection,
  kindle,
  matter,
  matterHighlights,
  evernote,
  joplin,
  notion,
  markdownNotes,
  savedPages,
  captures,
  addressList,
];

/** The importer for a file; undefined if it is not an export of a known program. */
export function findImporter(file: ImportFile): Importer | undefined {
  return importers.find((importer) => importer.detects(file));
}
