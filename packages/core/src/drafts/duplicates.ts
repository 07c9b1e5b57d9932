import type { NewMemory } from '../memory.js';
import type { MemoryStore, StoredMemory } from '../ports/index.js';
import { resemblance } from '../text/near-duplicates.js';
import { contentHashOf } from './normalise-capture.js';

/**
 * How soon after another program a page must be saved, in milliseconds, and how alike the texts must be, to be the
 * same. A page that changes by a tenth within an hour is a version, and so is every change that the same program sees.
 * Longer texts are not compared, since that would keep other requests waiting, and of the versions of a page only the
 * newest.
 */
const SAME_PAGE_LIMITS = { within: 3_600_000, resemblance: 0.9, characters: 200_000, versions: 4 };

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
 * Recognises pages that another program has just saved with nearly the same text (CAP-7): the extension sees what style
 * sheets and scripts change, which the command line does not.
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
  const savedPages = keys.size === 0 ? [] : await memories.lookup(userId, [...keys]);
  const saved = new Set(savedPages.map(({ urlKey }) => urlKey));
  return Promise.all(
    drafts.map(async (draft) => {
      const { urlKey } = draft;
      if (!isPage(draft) || urlKey === null || !saved.has(urlKey)) return draft;
      for (const { id } of await memories.pageVersions(userId, urlKey, SAME_PAGE_LIMITS.versions)) {
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
  if (text === stored.text || Math.max(text.length, stored.text.length) > SAME_PAGE_LIMITS.characters) return false;
  if (resemblance(stored.text, text) < SAME_PAGE_LIMITS.resemblance) return false;
  // Do not drop an undamaged text in favour of a damaged one.
  return stored.contentHash === (await contentHashOf(urlKey, stored.text));
}

function areApart(first: string, second: string): boolean {
  return Math.abs(Date.parse(first) - Date.parse(second)) > SAME_PAGE_LIMITS.within;
}

/**
 * Recognises what the user has corrected since it was imported, so that the same import brings no second memory with
 * the uncorrected text. This is for imports only: someone who saves a single text wants exactly that text.
 */
export async function recogniseEdited(
  memories: Pick<MemoryStore, 'withPreviousText'>,
  userId: string,
  drafts: readonly NewMemory[],
): Promise<NewMemory[]> {
  const owners = await memories.withPreviousText(
    userId,
    drafts.map(({ contentHash }) => contentHash),
  );
  const ids = new Map(owners.map(({ contentHash, id }) => [contentHash, id]));
  return drafts.map((draft) => {
    const duplicateOf = ids.get(draft.contentHash);
    return duplicateOf === undefined ? draft : { ...draft, duplicateOf };
  });
}

/**
 * The positions of memories that the user has deleted, and that are still in the trash: they have the text of one
 * there, or, as links and conversations, whose texts change, its address.
 */
export async function findDeleted(
  memories: Pick<MemoryStore, 'deletedAmong'>,
  userId: string,
  drafts: readonly NewMemory[],
): Promise<Set<number>> {
  const deletedMemories = await memories.deletedAmong(userId, {
    contentHashes: drafts.map(({ contentHash }) => contentHash),
    urlKeys: drafts.flatMap((draft) => addressOf(draft) ?? []),
  });
  const hashes = new Set(deletedMemories.map(({ contentHash }) => contentHash));
  const addresses = new Set(deletedMemories.map(({ urlKey }) => urlKey));
  const isDeleted = (draft: NewMemory) => {
    const address = addressOf(draft);
    return hashes.has(draft.contentHash) || (address !== null && addresses.has(address));
  };
  return new Set(drafts.flatMap((draft, at) => (isDeleted(draft) ? [at] : [])));
}

/** The address by which a memory is known; null if it is known by its text. */
function addressOf({ memory, conversation, urlKey }: NewMemory): string | null {
  return conversation !== null || memory.isLink ? urlKey : null;
}

/**
 * Whether the metadata of two memories with the same text name two different files: their front matter differs, and
 * neither file name is the end of the other. A copy of a file is the same file.
 *
 * @example
 * isOtherFile({ fileName: 'Dune.md', frontMatter: { by: 'Herbert' } }, { fileName: 'books/Dune.md', frontMatter: {} });
 * // false
 */
export function isOtherFile(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const [first, second] = [one.fileName, other.fileName];
  if (typeof first !== 'string' || typeof second !== 'string') return false;
  const isSame = `/${first}`.endsWith(`/${second}`) || `/${second}`.endsWith(`/${first}`);
  return !isSame && JSON.stringify(one.frontMatter ?? null) !== JSON.stringify(other.frontMatter ?? null);
}
