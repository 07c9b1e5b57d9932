import type { NewMemory } from '../memory.js';
import type { MemoryStore } from '../ports/index.js';
import { resemblance } from '../retrieval/near-duplicates.js';
import { contentHashOf } from './normalise-capture.js';

/**
 * How soon after another program a page must be saved, in milliseconds, and how alike the texts must be, to be the same. A page that
 * changes by a tenth within an hour is a version, and so is every change that the same program sees. Longer texts are not compared,
 * since that would keep other requests waiting.
 */
const SAME = { within: 3_600_000, resemblance: 0.9, characters: 200_000 };

/**
 * Recognises pages that another program has just saved with nearly the same text (CAP-7): the extension sees what style sheets and
 * scripts change, which the command line does not.
 */
export async function recogniseSamePages(
  memories: Pick<MemoryStore, 'lookup' | 'find'>,
  userId: string,
  drafts: readonly NewMemory[],
): Promise<NewMemory[]> {
  const pages = drafts.filter(({ memory }) => memory.captureMode === 'page' && memory.savedBy !== null);
  const keys = new Set(pages.flatMap(({ urlKey }) => (urlKey === null ? [] : [urlKey])));
  const known = keys.size === 0 ? [] : await memories.lookup(userId, [...keys]);
  const byKey = new Map(known.map((found) => [found.urlKey, found]));
  return Promise.all(
    drafts.map(async (draft) => {
      const { memory, urlKey, chunks } = draft;
      const found = urlKey !== null && pages.includes(draft) ? byKey.get(urlKey) : undefined;
      if (found === undefined || areApart(found.lastCapturedAt, memory.capturedAt)) return draft;
      const stored = await memories.find(userId, found.id);
      if (stored === null || stored.captureMode !== 'page') return draft;
      if (stored.savedBy === null || stored.savedBy.client === memory.savedBy?.client) return draft;
      const text = chunks.join('');
      if (text === stored.text || Math.max(text.length, stored.text.length) > SAME.characters) return draft;
      if (resemblance(stored.text, text) < SAME.resemblance) return draft;
      // A damaged text is no reason to drop a whole one.
      const isWhole = stored.contentHash === (await contentHashOf(urlKey, stored.text));
      return isWhole ? { ...draft, sameAs: stored.id } : draft;
    }),
  );
}

function areApart(one: string, other: string): boolean {
  return Math.abs(Date.parse(one) - Date.parse(other)) > SAME.within;
}
