import type { ErrorLog } from '@recollect/core';
import type { Database } from './dialect.js';

/** The last errors of the server in a database, portable over dialects. */
export function createErrorLog({ reader, writer }: Database): ErrorLog {
  return {
    async add(errors, kept) {
      await writer.transaction().execute(async (trx) => {
        for (const { operation, code, cause, count, firstAt, lastAt, requestId, frames } of errors) {
          const latest = { last_at: lastAt, request_id: requestId, frames: JSON.stringify(frames) };
          await trx
            .insertInto('error_log')
            .values({ operation, code, cause, count, first_at: firstAt, ...latest })
            .onConflict((conflict) =>
              conflict
                .columns(['operation', 'code', 'cause'])
                .doUpdateSet(({ eb }) => ({ ...latest, count: eb('error_log.count', '+', count) })),
            )
            .execute();
        }
        const oldest = await trx
          .selectFrom('error_log')
          .select('last_at')
          .orderBy('last_at', 'desc')
          .offset(kept)
          .limit(1)
          .executeTakeFirst();
        if (oldest !== undefined) await trx.deleteFrom('error_log').where('last_at', '<=', oldest.last_at).execute();
      });
    },

    async latest(limit) {
      const rows = await reader.selectFrom('error_log').selectAll().orderBy('last_at', 'desc').limit(limit).execute();
      return rows.map(({ first_at: firstAt, last_at: lastAt, request_id: requestId, frames, ...error }) => ({
        ...error,
        firstAt,
        lastAt,
        requestId,
        frames: JSON.parse(frames) as string[],
      }));
    },
  };
}
