import type { ReindexState } from '@recollect/contract';
import type { PendingChunk } from '../ports/index.js';

/** Memories that are named. */
const MAX_REPORTED_MEMORIES = 20;

/** Identifies a chunk by its text and title, which are embedded together; an edited chunk is a new one. */
export type Rejectable = Pick<PendingChunk, 'chunkId' | 'title'>;

/** The chunks that the model of this process rejects. Another model, and the next process, tries them again. */
export interface Rejections {
  add(userId: string, chunk: PendingChunk, reason: string): void;
  /** Whether a chunk with this text and title was rejected. */
  has(userId: string, chunk: Rejectable): boolean;
  /** Forgets chunks that are not among `pending`: all chunks without embeddings. */
  keep(userId: string, pending: readonly Rejectable[]): void;
  of(userId: string): ReindexState['rejected'];
  /** How many of the chunks without embeddings, in their order, were all rejected when they were looked at last. */
  passed(userId: string): number;
  pass(userId: string, count: number): void;
}

export function createRejections(): Rejections {
  const rejected = new Map<string, Map<string, { memoryId: string; reason: string }>>();
  const passed = new Map<string, number>();
  const keyOf = ({ chunkId, title }: Rejectable) => `${chunkId} ${title}`;
  return {
    add(userId, chunk, reason) {
      const rejections = rejected.get(userId) ?? new Map();
      rejected.set(userId, rejections.set(keyOf(chunk), { memoryId: chunk.memoryId, reason }));
    },
    has: (userId, chunk) => rejected.get(userId)?.has(keyOf(chunk)) === true,
    keep(userId, pending) {
      const rejections = rejected.get(userId);
      const acceptable = pending.map(keyOf).flatMap((key) => {
        const rejection = rejections?.get(key);
        return rejection === undefined ? [] : [[key, rejection] as const];
      });
      rejected.set(userId, new Map(acceptable));
    },
    of(userId) {
      const all = [...(rejected.get(userId)?.values() ?? [])];
      const memories = [...new Set(all.map(({ memoryId }) => memoryId))];
      return {
        count: memories.length,
        memories: memories.slice(0, MAX_REPORTED_MEMORIES),
        reason: all.at(-1)?.reason ?? null,
      };
    },
    passed: (userId) => passed.get(userId) ?? 0,
    pass: (userId, count) => void passed.set(userId, count),
  };
}
