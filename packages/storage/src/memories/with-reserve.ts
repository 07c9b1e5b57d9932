import { type HighlightStore, type MemoryStore, RecollectError, type RecordStore } from '@recollect/core';
import type { Reserve } from '../dialect.js';

/** The stores whose changes users ask for. */
interface Stores {
  memories: MemoryStore;
  highlights: HighlightStore;
  records: RecordStore;
}

/**
 * On a full disk, lets deletions use the space that is reserved for them, and nothing else. A deletion that fails for
 * lack of space is tried again once the reserve has been released.
 */
export function withReserve({ memories, highlights, records }: Stores, { demand, release }: Reserve): Stores {
  const growing =
    <A extends unknown[], T>(change: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      demand();
      return await change(...args);
    };
  const shrinking =
    <A extends unknown[], T>(change: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      try {
        return await change(...args);
      } catch (error) {
        const isFull = error instanceof RecollectError && error.code === 'STORE_FULL';
        if (!isFull || !(await release())) throw error;
        return await change(...args);
      }
    };

  const grow = growing(memories.changeAll);
  const shrink = shrinking(memories.changeAll);
  return {
    memories: {
      ...memories,
      insert: growing(memories.insert),
      update: growing(memories.update),
      restore: growing(memories.restore),
      saveEmbeddings: growing(memories.saveEmbeddings),
      changeAll: (userId, ids, change, options) => (change === 'delete' ? shrink : grow)(userId, ids, change, options),
      trash: shrinking(memories.trash),
      emptyTrash: shrinking(memories.emptyTrash),
      removePreviousEmbeddings: shrinking(memories.removePreviousEmbeddings),
      purge: shrinking(memories.purge),
    },
    highlights: {
      ...highlights,
      insert: growing(highlights.insert),
      update: growing(highlights.update),
      review: growing(highlights.review),
      remove: shrinking(highlights.remove),
    },
    records: { ...records, insert: growing(records.insert) },
  };
}
