import type { NewMemory } from '../memory.js';
import type { MemoryStore, StoredMemory } from '../ports/index.js';
import { resemblance } from '../retrieval/near-duplicates.js';
import { contentHashOf } from './normalise-capture.js';

/**
 * How soon after another program a page must be saved, in milliseconds, and how alike the texts must be, to be the same. A page that
 * changes by a tenth within an hour is a version, and so is every change that the same program sees. Longer texts are not compared,
 * since that would keep other requests waiting, and of the versions of a page only the newest.
 */
const SAME = { within: 3_600_000, resemblance: 0.9, characters: 200_000, versions: 4 };

/** Recognises links to pages that are saved: a link to one adds its tags and note to that. */
export async function recogniseLinks(
  memories: Pick<MemoryStore, 'lookup'>,
  userId: string,
  drafts: readonly NewMemory[],
): Promise<NewMemory[]> {
  const keys = drafts.flatMap(({ memory, urlKey }) => (memory.isLink ? (urlKey ?? []) : []));
  if (keys.length === 0) return [...drafts];
  const ids = new Map((await memories.lookup(userId, keys)).map(({ urlKey, id }) => [urlKey, id]));
  return drafts.map((draft) => {
    const id = draft.memory.isLink ? ids.get(draft.urlKey ?? '') : undefined;
    return id === undefined ? draft : { ...draft, duplicateOf: id };
  });
}

/**
 * Recognises pages that another program has just saved with nearly the same text (CAP-7): the extension sees what style sheets and
 * scripts change, which the command line does not.
 */
export async function recogniseSamePages(
  memories: Pick<MemoryStore, 'lookup' | 'pageVersions' | 'find'>,
  userId: string,
  drafts: readonly NewMemory[],
): Promise<NewMemory[]> {
  const isPage = ({ memory, urlKey }: NewMemory) =>
    memory.captureMode === 'page' && !memory.isLink && memory.savedBy !== null && urlKey !== null;
  const keys = new Set(drafts.filter(isPage).map(({ urlKey }) => urlKey ?? ''));
  // Most addresses are new, which one statement tells of all.
  const known = keys.size === 0 ? [] : await memories.lookup(userId, [...keys]);
  const saved = new Set(known.map(({ urlKey }) => urlKey));
  return Promise.all(
    drafts.map(async (draft) => {
      const { urlKey } = draft;
      if (!isPage(draft) || urlKey === null || !saved.has(urlKey)) return draft;
      for (const { id } of await memories.pageVersions(userId, urlKey, SAME.versions)) {
        const stored = await memories.find(userId, id);
        if (stored !== null && (await isSame(stored, draft, urlKey))) return { ...draft, duplicateOf: stored.id };
      }
      return draft;
    }),
  );
}

async function isSame(stored: StoredMemory, { memory, chunks }: NewMemory, urlKey: string): Promise<boolean> {
  if (areApart(stored.lastCapturedAt, memory.capturedAt)) return false;
  if (stored.savedBy === null || stored.savedBy.client === memory.savedBy?.client) return false;
  const text = chunks.join('');
  if (text === stored.text || Math.max(text.length, stored.text.length) > SAME.characters) return false;
  if (resemblance(stored.text, text) < SAME.resemblance) return false;
  // Do not drop an undamaged text in favour of a damaged one.
  return stored.contentHash === (await contentHashOf(urlKey, stored.text));
}

function areApart(one: string, other: string): boolean {
  return Math.abs(Date.parse(one) - Date.parse(other)) > SAME.within;
}
