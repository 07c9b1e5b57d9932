import type { ReindexState } from '@recollect/contract';
import type { PendingChunk } from '../ports/index.js';

/** Memories that are named. */
const NAMED = 20;

/** The chunks that the model of this process rejects. Another model, and the next process, tries them again. */
export interface Rejections {
  add(userId: string, chunk: PendingChunk, reason: string): void;
  /** Whether a chunk with this text and title was rejected. */
  has(userId: string, chunk: PendingChunk): boolean;
  /** Forgets those that are no longer among the chunks without embeddings. */
  keep(userId: string, pending: readonly PendingChunk[]): void;
  of(userId: string): ReindexState['rejected'];
}

export function createRejections(): Rejections {
  const rejected = new Map<string, Map<string, { memoryId: string; reason: string }>>();
  // A chunk that is edited is another one. Its title is part of what is embedded.
  const keyOf = ({ chunkId, title }: PendingChunk) => `${chunkId} ${title}`;
  return {
    add(userId, chunk, reason) {
      const known = rejected.get(userId) ?? new Map();
      rejected.set(userId, known.set(keyOf(chunk), { memoryId: chunk.memoryId, reason }));
    },
    has: (userId, chunk) => rejected.get(userId)?.has(keyOf(chunk)) === true,
    keep(userId, pending) {
      const known = rejected.get(userId);
      const kept = pending.map(keyOf).flatMap((key) => {
        const rejection = known?.get(key);
        return rejection === undefined ? [] : [[key, rejection] as const];
      });
      rejected.set(userId, new Map(kept));
    },
    of(userId) {
      const all = [...(rejected.get(userId)?.values() ?? [])];
      const memories = [...new Set(all.map(({ memoryId }) => memoryId))];
      return { count: memories.length, memories: memories.slice(0, NAMED), reason: all.at(-1)?.reason ?? null };
    },
  };
}
