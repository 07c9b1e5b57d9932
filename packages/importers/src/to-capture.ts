import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { clipText, splitTags, uniqueTags } from '@recollect/contract/text';
import type { Item } from './importer.js';

const { capture: most } = limits;

/** A link of a read-later list or of bookmarks, which have no text of the page. */
export interface Link {
  url: string;
  title: string;
  /** What the user or the program wrote about the page, and passages of it. */
  description?: string | undefined;
  note?: string | undefined;
  tags?: readonly string[] | undefined;
  /** The folder that it is in, from the outermost on. */
  folder?: readonly string[] | undefined;
  at?: string | undefined;
  isStarred?: boolean | undefined;
  isRead?: boolean | undefined;
}

/** A link as a memory, whose text is its title and description; its folders become tags. */
export function linkItem({ url, title, description = '', note, tags = [], folder = [], at, ...state }: Link): Item {
  if (!isPage(url)) return { skipped: title || url, reason: 'Its address is no http or https address.' };
  const path = folder.map((name) => name.trim()).filter((name) => name !== '');
  const text = [title.trim(), description.trim()].filter((part) => part !== '').join('\n\n');
  return item({
    capture: {
      url,
      title: title.trim() || url,
      captureMode: 'page',
      pageText: text || url,
      tags: [...tags, ...path],
      note,
      capturedAt: at,
      metadata: { content: 'link', ...(path.length === 0 ? {} : { folder: path.join('/') }) },
    },
    ...state,
  });
}

/** An item whose texts have the lengths that a capture may have. */
export function item({
  capture,
  isStarred = false,
  isRead = false,
}: {
  capture: Capture;
  isStarred?: boolean | undefined;
  isRead?: boolean | undefined;
}): Item {
  const tags = uniqueTags((capture.tags ?? []).flatMap((tag) => splitTags(tag)));
  const note = capture.note?.trim();
  return {
    capture: {
      ...capture,
      title: clipText(capture.title ?? '', most.titleLength),
      tags: tags.filter((tag) => tag.length <= most.tagLength).slice(0, most.tags),
      note: note ? clipText(note, most.noteLength) : undefined,
    },
    ...(isStarred ? { isStarred } : {}),
    ...(isRead ? { isRead } : {}),
  };
}

/** Whether an address is one that a memory can have. */
export function isPage(url: string): boolean {
  return url.length <= most.urlLength && /^https?:\/\//i.test(url) && URL.canParse(url);
}
