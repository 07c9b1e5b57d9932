import type { EmptyTrashAnswer, TrashAnswer, TrashedMemory } from '@recollect/contract';
import { readDate } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { DeletedMemory, TrashSelection } from '../ports/index.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { summaryOf } from './summary.js';

const DAY = 86_400_000;
/** Memories per transaction: few enough that a capture waits for milliseconds only. */
const BATCH = 20;

/** The use cases on deleted memories. */
export interface Trash {
  /** The last deleted first. */
  list(userId: string, options?: { limit?: number | undefined; cursor?: string | undefined }): Promise<TrashAnswer>;
  /** Throws NOT_FOUND. */
  get(userId: string, id: string): Promise<TrashedMemory>;
  /**
   * Permanently deletes the trash, or a selection of it, in batches, so that no other change waits for long. Throws
   * VALIDATION_FAILED if `deletedBefore` is not an instant.
   */
  empty(userId: string, selection?: Omit<TrashSelection, 'limit'>): Promise<EmptyTrashAnswer>;
}

/** Makes the use cases that list, read and empty the trash. */
export function createTrash({ memories, clock }: Pick<CorePorts, 'memories' | 'clock'>): Trash {
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
      return {
        memories: page.map(toTrashEntry),
        total: await memories.countTrash(userId),
        nextCursor:
          listed.length > limit && last !== undefined
            ? encodeCursor({ capturedAt: last.deletedAt, id: last.id })
            : null,
      };
    },

    async get(userId, id) {
      const deletedMemory = await memories.findDeleted(userId, id, clock.now().toISOString());
      if (deletedMemory === null)
        throw new RecollectError('NOT_FOUND', 'There is no memory with this id in the trash.');
      return { ...toTrashEntry(deletedMemory), text: deletedMemory.text };
    },

    async empty(userId, { ids, deletedBefore } = {}) {
      const selection = { ids, deletedBefore: deletedBefore == null ? null : readInstant(deletedBefore), limit: BATCH };
      let deleted = 0;
      let last: number;
      do {
        last = await memories.emptyTrash(userId, selection);
        deleted += last;
      } while (last === BATCH);
      return { deleted };
    },
  };
}

function toTrashEntry(memory: DeletedMemory): TrashAnswer['memories'][number] {
  return {
    ...summaryOf(memory),
    deletedAt: memory.deletedAt,
    daysLeft: Math.max(0, Math.ceil(limits.retention.trashDays - memory.deletedFor / DAY)),
  };
}

function readInstant(text: string): string {
  const instant = readDate(text);
  if (instant !== null) return instant;
  const errors = [{ pointer: '/deletedBefore', message: 'must be an ISO 8601 date and time with a zone' }];
  throw new RecollectError('VALIDATION_FAILED', `deletedBefore ${errors[0]?.message}.`, { errors });
}
