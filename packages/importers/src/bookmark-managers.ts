import { isPageAddress } from '@recollect/contract/text';
import { defineImporter, type Item, readEach } from './importer.js';
import { item, linkItem, noteText, pathOf } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, isFields, textOf, textsOf } from './values.js';

/** Karakeep, formerly Hoarder: links and notes, with the lists that they are in. */
export const karakeep = defineImporter({
  program: 'Karakeep',
  detects: (file) =>
    fieldsIn(listsOf(file.object()).bookmarks).some(({ content }) => content === null || isFields(content)),
  *read(file) {
    const { bookmarks, lists } = listsOf(file.object());
    const byId = new Map(fieldsIn(lists).map((list) => [list.id, list]));
    yield* readEach(
      fieldsIn(bookmarks),
      (bookmark) => readBookmark(bookmark, byId),
      ({ title, content }) => textOf(title) || textOf(isFields(content) ? content.url : ''),
    );
  },
});

function readBookmark(bookmark: Fields, lists: ReadonlyMap<unknown, Fields>): Item {
  const title = textOf(bookmark.title);
  const content = isFields(bookmark.content) ? bookmark.content : {};
  const common = {
    note: textOf(bookmark.note),
    tags: [...textsOf(bookmark.tags), ...textsOf(bookmark.lists).map((list) => pathOfList(list, lists))],
    at: instantOf(bookmark.createdAt),
    isStarred: bookmark.favourited === true,
    isRead: bookmark.archived === true,
  };
  if (content.type === 'link') return linkItem({ url: textOf(content.url), title, ...common });
  const text = textOf(content.text);
  if (text === '' && common.note === '')
    return { skipped: title, reason: 'It is a file, which the export does not contain.' };
  const { note, tags, at, ...state } = common;
  return item({
    capture: {
      title,
      pageText: noteText(title, text || note),
      note: text === '' ? undefined : note,
      tags,
      capturedAt: at,
      sourceApp: 'karakeep',
    },
    ...state,
  });
}

/** Linkwarden: links in collections, which may be in others. */
export const linkwarden = defineImporter({
  program: 'Linkwarden',
  detects: (file) => fieldsIn(listsOf(file.object()).collections).some(({ links }) => Array.isArray(links)),
  *read(file) {
    const collections = fieldsIn(listsOf(file.object()).collections);
    const byId = new Map(collections.map((collection) => [collection.id, collection]));
    const pinned = new Set(fieldsIn(listsOf(file.object()).pinnedLinks).map(({ id }) => id));
    for (const collection of collections) {
      const path = folderOf(collection, byId);
      // The collection of bookmarks that are in no other collection.
      const folder = path.join('/') === 'Unorganized' ? [] : path;
      yield* readEach(
        fieldsIn(collection.links),
        (link) =>
          linkItem({
            url: textOf(link.url),
            title: textOf(link.name),
            description: textOf(link.description),
            tags: fieldsIn(link.tags).map(({ name }) => textOf(name)),
            folder,
            at: instantOf(link.importDate) ?? instantOf(link.createdAt),
            isStarred: pinned.has(link.id),
          }),
        ({ name, url }) => textOf(name) || textOf(url),
      );
    }
  },
});

/** The path of a list; an unknown list itself. */
function pathOfList(list: string, byId: ReadonlyMap<unknown, Fields>): string {
  const parent = byId.get(list);
  return parent === undefined ? list : pathOf(folderOf(parent, byId));
}

function folderOf(collection: Fields, byId: ReadonlyMap<unknown, Fields>): string[] {
  const path: string[] = [];
  const passed = new Set<Fields>();
  for (let one: Fields | undefined = collection; one !== undefined && !passed.has(one); one = byId.get(one.parentId)) {
    passed.add(one);
    path.unshift(textOf(one.name));
  }
  return path;
}

/** wallabag, which has the pages themselves. */
export const wallabag = defineImporter({
  program: 'wallabag',
  detects: (file) => fieldsIn(file.head()).some((entry) => 'is_archived' in entry && 'content' in entry),
  *read(file) {
    yield* readEach(fieldsOf(file.entries()), readEntry, ({ title, url }) => textOf(title) || textOf(url));
  },
});

function readEntry(entry: Fields): Item {
  const url = textOf(entry.url);
  const title = textOf(entry.title);
  const html = textOf(entry.content);
  const [tags, at, note] = [textsOf(entry.tags), instantOf(entry.created_at), notesOn(entry)];
  const place = isSet(entry.is_archived) ? ('archive' as const) : ('later' as const);
  const state = { isStarred: isSet(entry.is_starred), isRead: isSet(entry.is_archived), place };
  const hasText = /[\p{L}\p{N}]/u.test(html.replace(/<[^<>]*>/g, ''));
  if (!hasText || !isPageAddress(url)) return linkItem({ url, title, tags, note, at, ...state });
  return item({ capture: { url, title, html, captureMode: 'page', tags, note, capturedAt: at }, ...state });
}

/** The user's highlights and notes in a page. */
function notesOn({ annotations }: Fields): string {
  return fieldsIn(annotations)
    .flatMap(({ quote, text }) => [textOf(quote) === '' ? '' : `> ${textOf(quote)}`, textOf(text)])
    .filter((part) => part !== '')
    .join('\n\n');
}

function isSet(value: unknown): boolean {
  return value === 1 || value === true;
}

function listsOf(json: unknown): Fields {
  return isFields(json) ? json : {};
}
