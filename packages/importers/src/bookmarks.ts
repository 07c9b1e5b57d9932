import type { Place } from '@recollect/contract/vocabulary';
import { Parser } from 'htmlparser2';
import { defineImporter, readEach } from './importer.js';
import { type Link, linkItem } from './to-capture.js';
import { instantOf, textsOf } from './values.js';

/** Folders that a browser makes, which say nothing about a page: they have a mark, or these names. */
const BUILT_IN_MARKS = ['personal_toolbar_folder', 'unfiled_bookmarks_folder'];
export const BUILT_IN =
  /^(?:bookmarks(?: bar| menu| toolbar)?|(?:other|mobile|imported) bookmarks|favorites(?: bar)?|lesezeichen(?:leiste|-symbolleiste)?|weitere lesezeichen|unsorted|unsortiert)$/i;
const LINKDING_ARCHIVED = 'linkding:bookmarks.archived';
const LINKDING_NOTES = /\[linkding-notes\]((?:(?!\[linkding-notes\]).)*?)\[\/linkding-notes\]/s;

/**
 * The HTML of bookmarks, which Netscape introduced and every browser exports, and Pocket's. Closing tags are optional:
 * a description (`DD`) follows its link, and a list (`DL`) the name of its folder (`H3`).
 */
export const bookmarks = defineImporter({
  program: 'browser bookmarks',
  detects: ({ text }) =>
    /<!DOCTYPE NETSCAPE-Bookmark-file-1>|<title>Pocket Export<\/title>/i.test(text.slice(0, 2_048)),
  *read({ text }) {
    yield* readEach(readLinks(text), linkItem, ({ title, url }) => title.trim() || url);
  },
});

/** Characters that are parsed at a time: a browser's file may have icons of megabytes. */
const PIECE = 64 * 1024;

function* readLinks(html: string): Generator<Link> {
  let links: Link[] = [];
  const folders: string[] = [];
  let folder = '';
  let isBuiltIn = false;
  /** The element that the next text belongs to. */
  let place: 'link' | 'folder' | 'description' | 'section' | null = null;
  let section = '';
  /** Whether a description is one of a link, and not of a folder. */
  let isAfterLink = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      // A link in a description belongs to it.
      if (name === 'a' && place === 'description') return;
      if (name === 'a') {
        place = 'link';
        isAfterLink = true;
        links.push({
          url: attributes.href ?? '',
          title: '',
          description: '',
          tags: textsOf(attributes.tags ?? ''),
          folder: [...folders],
          at: instantOf(attributes.add_date ?? attributes.time_added),
          isRead: /read archive/i.test(section),
          place: placeOf(section, attributes.toread),
        });
      } else if (name === 'h3') {
        place = 'folder';
        isAfterLink = false;
        folder = '';
        isBuiltIn = BUILT_IN_MARKS.some((mark) => attributes[mark] === 'true');
      } else if (name === 'h1') {
        place = 'section';
        section = '';
      } else if (name === 'dd') place = isAfterLink ? 'description' : null;
      else if (name === 'dl') {
        folders.push(isBuiltIn || BUILT_IN.test(folder.trim()) ? '' : folder);
        folder = '';
        isBuiltIn = false;
        place = null;
      } else if (name === 'dt') place = null;
    },
    ontext(part) {
      const link = links.at(-1);
      if (place === 'folder') folder += part;
      else if (place === 'section') section += part;
      else if (place === 'link' && link !== undefined) link.title += part;
      else if (place === 'description' && link !== undefined) link.description += part;
    },
    onclosetag(name) {
      if (name === 'dl') folders.pop();
      if (name === 'a' && place === 'description') return;
      if (['a', 'h3', 'h1', 'dl'].includes(name)) place = null;
    },
  });
  for (let at = 0; at < html.length; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
    // The last link may continue in the next piece.
    const last = links.pop();
    yield* links.map(withNotes);
    links = last === undefined ? [] : [last];
  }
  parser.end();
  yield* links.map(withNotes);
}

/** Pocket has sections; Pinboard and linkding mark links to read. */
function placeOf(section: string, toRead: string | undefined): Place | undefined {
  if (/read archive/i.test(section)) return 'archive';
  return toRead === '1' || /^\s*unread\s*$/i.test(section) ? 'later' : undefined;
}

/** A link with the notes that linkding puts into its description. */
function withNotes({ description = '', ...link }: Link): Link {
  const [, note] = LINKDING_NOTES.exec(description) ?? [];
  const tags = link.tags?.filter((tag) => tag !== LINKDING_ARCHIVED);
  const isRead = link.isRead || tags?.length !== link.tags?.length;
  return { ...link, tags, isRead, description: description.replace(LINKDING_NOTES, ''), note };
}
