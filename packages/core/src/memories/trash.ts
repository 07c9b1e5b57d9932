import type { EmptyTrashAnswer, TrashAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { summaryOf } from './summary.js';

const DAY = 86_400_000;

/** The verbs on deleted memories. */
export interface Trash {
  /** The last deleted first. */
  list(userId: string, options?: { limit?: number | undefined; cursor?: string | undefined }): Promise<TrashAnswer>;
  /** Permanently deletes the trash, or those of the given ids that are in it. */
  empty(userId: string, ids?: readonly string[] | null): Promise<EmptyTrashAnswer>;
}

/** Makes the verbs that list and empty the trash. */
export function createTrash({
  memories,
  inspector,
  clock,
}: Pick<CorePorts, 'memories' | 'inspector' | 'clock'>): Trash {
  return {
    async list(userId, { limit = limits.memories.page.default, cursor } = {}) {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const listed = await memories.listTrash(userId, {
        now: clock.now().toISOString(),
        limit: limit + 1,
        after: after === null ? null : { deletedAt: after.capturedAt, id: after.id },
      });
      const page = listed.slice(0, limit);
      const last = page.at(-1);
      const { trash: total } = await inspector.counts(userId);
      return {
        memories: page.map((memory) => ({
          ...summaryOf(memory),
          deletedAt: memory.deletedAt,
          daysLeft: Math.max(0, Math.ceil(limits.retention.trashDays - memory.deletedFor / DAY)),
        })),
        total,
        nextCursor:
          listed.length > limit && last !== undefined
            ? encodeCursor({ capturedAt: last.deletedAt, id: last.id })
            : null,
      };
    },

    async empty(userId, ids = null) {
      return { deleted: await memories.emptyTrash(userId, ids) };
    },
  };
}
