import type { StatisticsStore } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from './dialect.js';
import { readCounts } from './memories/memory-counts.js';

/** Counts of memories by day in a database, portable over dialects. */
export function createStatisticsStore({ reader }: Database): StatisticsStore {
  const live = (userId: string) =>
    reader.selectFrom('memories').where('user_id', '=', userId).where('deleted_at', 'is', null);
  return {
    saved(userId, since) {
      const day = sql<string>`substr(captured_at, 1, 10)`;
      return live(userId)
        .where('captured_at', '>=', since)
        .select([day.as('day'), ({ fn }) => fn.countAll<number>().as('saved')])
        .groupBy(day)
        .orderBy('day')
        .execute();
    },

    async opened(userId, since) {
      // The expression of the index that finds them.
      const openedAt = sql<string>`coalesce(opened_at, '')`;
      const day = sql<string>`substr(opened_at, 1, 10)`;
      const rows = await live(userId)
        .where(openedAt, '>=', since)
        .select([
          day.as('day'),
          ({ fn }) => fn.countAll<number>().as('opened'),
          sql<number>`sum(case when read_state = 'read' then 1 else 0 end)`.as('read'),
          sql<number>`sum(chunk_count * progress)`.as('chunks'),
        ])
        .groupBy(day)
        .orderBy('day')
        .execute();
      return rows.map(({ day, opened, read, chunks }) => ({ day, opened, read: Number(read), chunks: Number(chunks) }));
    },

    async size(userId) {
      const { highlights, text_bytes: textBytes } = await readCounts(reader, userId);
      return { highlights, textBytes: Number(textBytes) };
    },
  };
}
