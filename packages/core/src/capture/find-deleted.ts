import type { NewMemory } from '../memory.js';
import type { MemoryStore } from '../ports/index.js';

/**
 * The positions of memories that the user has deleted, and that are still in the trash: they have the text of one there, or, as links
 * and conversations, whose texts change, its address.
 */
export async function findDeleted(
  memories: Pick<MemoryStore, 'deletedAmong'>,
  userId: string,
  drafts: readonly NewMemory[],
): Promise<Set<number>> {
  const found = await memories.deletedAmong(userId, {
    contentHashes: drafts.map(({ contentHash }) => contentHash),
    urlKeys: drafts.flatMap((draft) => addressOf(draft) ?? []),
  });
  const hashes = new Set(found.map(({ contentHash }) => contentHash));
  const addresses = new Set(found.map(({ urlKey }) => urlKey));
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
