import type { ClientKind, CountsAnswer } from '@recollect/contract';
import type { MemoryFilter, MemoryStore } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';
import { hasFilter, matchingMemories, meetsFilter } from './filter.js';
import { countedTags, readSpellings } from './read-tags.js';

type Count = CountsAnswer['sites'][number];

/** Counts memories by their facts. Indexes cover them, so that no memory is read. */
export function createMemoryCounts({ reader, list }: Database): Pick<MemoryStore, 'counts'> {
  const countBy = async (
    userId: string,
    filter: MemoryFilter,
    column: 'source_type' | 'site' | 'client_key',
    limit: number | null,
  ) => {
    const counted = reader
      .selectFrom('memories')
      .where(meetsFilter(userId, filter))
      .select([column, ({ fn }) => fn.countAll<number>().as('count')])
      .where(column, 'is not', null)
      .groupBy(column)
      .orderBy('count', 'desc')
      .orderBy(column);
    const rows = await (limit === null ? counted : counted.limit(limit)).execute();
    return rows.map((row): Count => ({ value: row[column] ?? '', count: row.count }));
  };

  const countMonths = async (userId: string, filter: MemoryFilter, limit: number) => {
    const month = sql<string>`substr(captured_at, 1, 7)`;
    return reader
      .selectFrom('memories')
      .where(meetsFilter(userId, filter))
      .select([month.as('value'), ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy(month)
      .orderBy('value', 'desc')
      .limit(limit)
      .execute();
  };

  const countTags = async (userId: string, filter: MemoryFilter, limit: number) => {
    const tags = countedTags(reader, userId).limit(limit);
    const matching = hasFilter(filter) ? tags.where('memory_id', 'in', matchingMemories(reader, userId, filter)) : tags;
    const rows = await matching.execute();
    const spelled = await readSpellings(reader, userId, list.texts(rows.map(({ key }) => key)));
    return rows.map(({ key, count }) => ({ value: spelled.get(key) ?? key, count }));
  };

  const countClients = async (userId: string, filter: MemoryFilter, limit: number) => {
    const rows = await reader
      .selectFrom('memories')
      .where(meetsFilter(userId, filter))
      .where('client', 'is not', null)
      .select(['client', 'client_name as name', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy(['client', 'client_name'])
      .orderBy('count', 'desc')
      .orderBy('client')
      .orderBy('client_name')
      .limit(limit)
      .execute();
    return rows.map(({ client, name, count }) => ({ client: client as ClientKind, name, count }));
  };

  return {
    async counts(userId, filter, limit) {
      const [sourceTypes, sites, tags, months, keys, clients] = await Promise.all([
        countBy(userId, filter, 'source_type', null),
        countBy(userId, filter, 'site', limit),
        countTags(userId, filter, limit),
        countMonths(userId, filter, limit),
        countBy(userId, filter, 'client_key', limit),
        countClients(userId, filter, limit),
      ]);
      // Every memory has one source type, and there are few of them.
      const total = sourceTypes.reduce((sum, { count }) => sum + count, 0);
      return { total, sourceTypes: sourceTypes.slice(0, limit), sites, tags, months, keys, clients };
    },
  };
}
