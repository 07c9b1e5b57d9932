import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { clipText, isPageAddress, splitTags, uniqueTags } from '@recollect/contract/text';
import { findUnstorable } from '@recollect/contract/unstorable';
import type { Place } from '@recollect/contract/vocabulary';
import type { Item } from './importer.js';

const { capture: most } = limits;

/** A link of a read-later list or of bookmarks, which have no text of the page. */
export interface Link {
  url: string;
  title: string;
  /** Text about the page by the user or the program, and passages of it. */
  description?: string | undefined;
  note?: string | undefined;
  tags?: readonly string[] | undefined;
  /** The folder that it is in, from the outermost on: a tag with slashes. */
  folder?: readonly string[] | undefined;
  at?: string | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  isStarred?: boolean | undefined;
  isRead?: boolean | undefined;
  /** Whether it was read in part. */
  isReading?: boolean | undefined;
  /** Where the program keeps it, if it has an inbox or a list to read later. */
  place?: Place | undefined;
}

/** A link as a memory, whose text is its title and description; the path of its folder becomes a tag. */
export function linkItem(link: Link): Item {
  const { url, title, description = '', note, tags = [], folder = [], at, metadata = {}, ...state } = link;
  if (!isPageAddress(url)) return { skipped: title || url, reason: 'Not an http or https address.' };
  const path = pathOf(folder);
  // Fragments do not distinguish pages, but in many apps the fragment is the page.
  const isPart = URL.parse(url)?.hash !== '';
  const parts = [title.trim(), description.trim(), isPart ? url : ''];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return item({
    capture: {
      url,
      title: title.trim() || url,
      captureMode: 'page',
      pageText: text || url,
      tags: [...tags, path],
      note,
      capturedAt: at,
      metadata: { ...metadata, ...(path === '' ? {} : { folder: path }) },
    },
    isLink: true,
    ...state,
  });
}

/** Parts of a nested tag that a folder becomes. */
const MAX_DEPTH = 10;

/**
 * The path of a folder from the outermost on, as a nested tag: commas separate tags. Of a path that is too long or too
 * deep for one, the end.
 *
 * @example
 * pathOf(['Development', 'Databases']); // 'Development/Databases'
 */
export function pathOf(folder: readonly string[]): string {
  const names = folder.map((name) => name.replace(/[,\s]+/g, ' ').trim()).filter((name) => name !== '');
  names.splice(0, names.length - MAX_DEPTH);
  while (names.length > 1 && names.join('/').length > most.tagLength) names.shift();
  return clipText(names.join('/'), most.tagLength);
}

/** A conversation with an assistant. */
export interface Conversation {
  id: string;
  title: string;
  /** The beginning of a conversation's address, before its id. */
  site: string;
  sourceApp: string;
  messages: readonly { role: string; text: string }[];
  at?: string | undefined;
  isStarred: boolean;
}

/** A conversation at the address of its page, by which a later export or capture extends it. */
export function conversationItem({ id, title, site, sourceApp, messages, at, isStarred }: Conversation): Item {
  if (messages.length === 0)
    return { skipped: title || id, reason: 'The conversation has no messages.', isExpected: true };
  return item({
    capture: {
      title,
      url: id === '' ? undefined : site + encodeURIComponent(id.toWellFormed()),
      sourceApp,
      captureMode: 'conversation',
      messages: messages.map(({ role, text }) => ({ role, text })),
      capturedAt: at,
      metadata: id === '' ? {} : { conversationId: id },
    },
    isStarred,
  });
}

/** A passage of a book. */
export interface Quote {
  quote: string;
  title: string;
  author: string;
  /** Where it is in the book. */
  place: string;
  sourceApp: string;
  note?: string | undefined;
  tags?: readonly string[] | undefined;
  at?: string | undefined;
  /** Whether it is the reader's own note on the book, and not a passage of it. */
  isOwn?: boolean | undefined;
}

/**
 * A passage with its book below it: the same words of two books are two memories, and both are found by their authors.
 */
export function quoteItem({ quote, title, author, place, sourceApp, note, tags = [], at, isOwn = false }: Quote): Item {
  const book = [title, author].filter((part) => part !== '').join(', ');
  return item({
    capture: {
      title,
      sourceApp,
      captureMode: 'selection',
      selection: book === '' ? quote : `${quote}\n\n${isOwn ? 'Note on' : '—'} ${book}`,
      note,
      tags: [...tags],
      capturedAt: at,
      metadata: { ...(author === '' ? {} : { author }), ...(place === '' ? {} : { place }) },
    },
  });
}

/** A note with its title in the text, since the same text under another title is another note. */
export function noteText(title: string, text: string): string {
  const isAbove =
    title === '' || (text.startsWith(title) && !CONTINUED.test(text.slice(title.length, title.length + 2)));
  return [isAbove ? '' : `# ${title}`, text].filter((part) => part !== '').join('\n\n');
}

/** Characters after a title that is only the beginning of a word. */
const CONTINUED = /^[\p{L}\p{M}\p{N}_]/u;

/** An item whose texts have the lengths that a capture may have. */
export function item({
  capture,
  isLink = false,
  isStarred = false,
  isRead = false,
  isReading = false,
  place,
}: {
  capture: Capture;
  isLink?: boolean | undefined;
  isStarred?: boolean | undefined;
  isRead?: boolean | undefined;
  isReading?: boolean | undefined;
  place?: Place | undefined;
}): Item {
  const tags = uniqueTags((capture.tags ?? []).flatMap((tag) => splitTags(tag)));
  const note = capture.note?.trim();
  return {
    capture: {
      ...capture,
      title: clipText(capture.title ?? '', most.titleLength),
      tags: tags.filter((tag) => tag.length <= most.tagLength).slice(0, most.tags),
      note: note ? clipText(note, most.noteLength) : undefined,
      metadata: isStorable(capture.metadata ?? {}) ? capture.metadata : undefined,
    },
    ...(isLink ? { isLink } : {}),
    ...(isStarred ? { isStarred } : {}),
    ...(isRead ? { isRead } : {}),
    ...(isReading ? { isReading } : {}),
    ...(place === undefined ? {} : { place }),
  };
}

/** Whether metadata can be kept. A memory matters more than its metadata. */
function isStorable(metadata: Readonly<Record<string, unknown>>): boolean {
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  return bytes <= most.metadataBytes / 2 && findUnstorable(metadata, 2) === null;
}
