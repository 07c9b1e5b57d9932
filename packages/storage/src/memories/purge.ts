import type { MemoryStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { readStoreTime, takeClockJump } from '../time/store-time.js';

/** Permanently removes what has been in the trash, and answers that were kept, for longer than the given times. */
export function createPurge({ writer }: Database): MemoryStore['purge'] {
  return ({ now, trashedFor, answeredFor, valuesFor }) =>
    writer.transaction().execute(async (trx) => {
      const elapsed = await readStoreTime(trx, now);
      const clockJump = await takeClockJump(trx);
      if (clockJump > 0) return { clockJump };
      await trx
        .deleteFrom('memories')
        .where('deleted_at', 'is not', null)
        .where('deleted_elapsed', '<', elapsed - trashedFor)
        .execute();
      await trx
        .deleteFrom('idempotency_answers')
        .where('created_elapsed', '<', elapsed - answeredFor)
        .execute();
      await trx
        .deleteFrom('former_texts')
        .where('position', 'in', (query) =>
          query
            .selectFrom('memory_history')
            .select('position')
            .where('former', 'is not', null)
            .where('elapsed', '<', elapsed - valuesFor),
        )
        .execute();
      await trx
        .updateTable('memory_history')
        .set({ former: null })
        .where('former', 'is not', null)
        .where('elapsed', '<', elapsed - valuesFor)
        .execute();
      return { clockJump };
    });
}
