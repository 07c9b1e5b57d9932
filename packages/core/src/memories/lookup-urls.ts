import type { Highlight, LookupAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../ports/core-ports.js';
import { urlKey } from '../text/url-key.js';

export interface LookupOptions {
  /** Whether to return the highlights of each address: those in all of its memories. */
  highlights?: boolean | undefined;
}

/** Finds the newest memory of each URL. */
export async function lookupUrls(
  { memories, highlights }: Pick<CorePorts, 'memories' | 'highlights'>,
  userId: string,
  urls: readonly string[],
  options: LookupOptions = {},
): Promise<LookupAnswer> {
  const keyOf = new Map(urls.map((url) => [url, urlKey(url)]));
  const savedPages = await memories.lookup(
    userId,
    [...keyOf.values()].filter((key) => key !== null),
  );
  const byKey = new Map(savedPages.map(({ urlKey: key, ...memory }) => [key, memory]));
  const marked = options.highlights === true ? await readHighlights(highlights, userId, [...byKey.keys()]) : null;
  return {
    found: [...keyOf].flatMap(([url, key]) => {
      const memory = key === null ? undefined : byKey.get(key);
      if (key === null || memory === undefined) return [];
      return [{ url, ...memory, ...(marked === null ? {} : { highlights: marked.get(key) ?? [] }) }];
    }),
  };
}

/** The highlights of each URL key, newest first. */
async function readHighlights(
  highlights: CorePorts['highlights'],
  userId: string,
  keys: readonly string[],
): Promise<Map<string, Highlight[]>> {
  const rows = keys.length === 0 ? [] : await highlights.onPages(userId, keys, limits.highlights.perMemory);
  const sorted = rows.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
  const byKey = new Map<string, Highlight[]>(keys.map((key) => [key, []]));
  for (const { urlKey: key, ...highlight } of sorted) byKey.get(key)?.push(highlight);
  return byKey;
}
