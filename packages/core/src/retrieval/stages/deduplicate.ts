import type { FoundMemory, MemoryStore } from '../../ports/index.js';
import { findNearDuplicate, type Passage, toPassage } from '../../text/near-duplicates.js';

/** Folds results, in their order: versions of a page, and memories whose texts are nearly the same, are one. */
interface Deduplicator {
  /**
   * Places the next result.
   *
   * @returns the place of the earlier result that it is folded into; -1 if it stays a separate result
   */
  place(memory: Pick<FoundMemory, 'id' | 'chunk' | 'versionOf'>): Promise<number>;
}

/** Begins to deduplicate results. */
export function createDeduplicator(memories: Pick<MemoryStore, 'find'>, userId: string): Deduplicator {
  const passages: Passage[] = [];
  /** The results of pages, by their URL keys. */
  const pages = new Map<string, number>();
  return {
    async place({ id, chunk, versionOf }) {
      const page = versionOf?.urlKey;
      const passage = toPassage(chunk, async () => (await memories.find(userId, id))?.text ?? '');
      const same = (page === undefined ? undefined : pages.get(page)) ?? (await findNearDuplicate(passage, passages));
      if (page !== undefined) pages.set(page, same < 0 ? passages.length : same);
      if (same < 0) passages.push(passage);
      return same;
    },
  };
}
