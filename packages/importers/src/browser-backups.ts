import { defineImporter, type Item, readEach } from './importer.js';
import { type Link, linkItem } from './to-capture.js';
import { type Fields, fieldsIn, instantOf, isFields, textOf, textsOf } from './values.js';

/** A bookmark in the tree of a browser, with the folders above it. */
interface Placed {
  node: Fields;
  folder: readonly string[];
}

/** Folders above a bookmark that are kept, the nearest ones: to keep all would take quadratic time. */
const MAX_FOLDERS = 20;

/** The bookmarks below a folder, in their order, without calls that a deep tree could exhaust. */
function* bookmarksBelow(roots: readonly Placed[], isFolder: (node: Fields) => boolean): Generator<Placed> {
  const waiting = [...roots].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, folder } = next;
    if (!isFolder(node)) yield next;
    else
      for (const child of fieldsIn(node.children).reverse())
        waiting.push({ node: child, folder: below(child, folder) });
  }
  function below(child: Fields, folder: readonly string[]): readonly string[] {
    return isFolder(child) ? [...folder, textOf(child.title) || textOf(child.name)].slice(-MAX_FOLDERS) : folder;
  }
}

const CONTAINER = 'text/x-moz-place-container';
/** Folders that Firefox makes, by their `root`. */
const TAGS = 'tagsFolder';

/**
 * The backup of bookmarks that Firefox makes in JSON. Older ones have the tags in folders, which repeat the bookmarks.
 */
export const firefox = defineImporter({
  program: 'Firefox',
  detects: (file) => {
    const root = file.object();
    return isFields(root) && root.type === CONTAINER && Array.isArray(root.children);
  },
  *read(file) {
    const root = file.object() as Fields;
    const isFolder = ({ type }: Fields) => type === CONTAINER;
    const isTags = ({ root: name }: Fields) => name === TAGS;
    const tops = fieldsIn(root.children);
    const tags = new Map<string, string[]>();
    const tagFolders = tops.filter(isTags).map((node) => ({ node, folder: [] }));
    for (const { node, folder } of bookmarksBelow(tagFolders, isFolder)) {
      const uri = textOf(node.uri);
      tags.set(uri, [...(tags.get(uri) ?? []), ...folder.slice(-1)]);
    }
    // The name of a top folder is the browser's. The root of a backup of one folder is that folder.
    const nodes = root.root === 'placesRoot' ? tops.filter((node) => !isTags(node)) : [root];
    const places = bookmarksBelow(
      nodes.map((node) => ({ node, folder: [] })),
      isFolder,
    );
    yield* readEach(
      places,
      ({ node, folder }) => readFirefox(node, folder, tags.get(textOf(node.uri)) ?? []),
      ({ node }) => textOf(node.title) || textOf(node.uri),
    );
  },
});

function readFirefox(node: Fields, folder: readonly string[], tags: readonly string[]): Item[] {
  const [url, title] = [textOf(node.uri), textOf(node.title)];
  // Separators, and lists that the browser computes, such as the most visited pages.
  if (url === '' || url.startsWith('place:')) return [];
  const description = fieldsIn(node.annos).find(({ name }) => name === 'bookmarkProperties/description');
  const link: Link = {
    url,
    title,
    description: textOf(description?.value),
    tags: [...textsOf(node.tags), ...tags],
    folder,
    at: instantOf(node.dateAdded),
  };
  return [linkItem(link)];
}

/** Microseconds from 1601, where Chrome's time begins, to 1970. */
const SINCE_1601 = 11_644_473_600_000_000;

/** The file `Bookmarks` of a profile of Chrome, Edge, Brave, Vivaldi and other browsers of their kind. */
export const chrome = defineImporter({
  program: 'Chrome',
  detects: (file) => {
    const root = file.object();
    return isFields(root) && isFields(root.roots) && isFields(root.roots.bookmark_bar);
  },
  *read(file) {
    const { roots } = file.object() as { roots: Fields };
    const tops = Object.values(roots).filter(isFields);
    const isFolder = ({ type }: Fields) => type === 'folder';
    const places = bookmarksBelow(
      tops.map((node) => ({ node: { ...node, type: 'folder' }, folder: [] })),
      isFolder,
    );
    yield* readEach(
      places,
      ({ node, folder }) =>
        linkItem({ url: textOf(node.url), title: textOf(node.name), folder, at: chromeTime(node.date_added) }),
      ({ node }) => textOf(node.name) || textOf(node.url),
    );
  },
});

function chromeTime(value: unknown): string | undefined {
  const microseconds = Number(value) - SINCE_1601;
  return microseconds > 0 ? instantOf(microseconds) : undefined;
}
