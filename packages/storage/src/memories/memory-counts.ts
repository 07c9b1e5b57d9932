import type { ClientKind, CountsAnswer } from '@recollect/contract';
import type { MemoryFilter, MemoryStore } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';
import { hasFilter, matchingMemories, meetsFilter } from './filter.js';
import { countedTags, readSpellings } from './read-tags.js';

type Count = CountsAnswer['sites'][number];

/**
 * Counts memories by their facts. Indexes cover them, so that no memory is read. For a fact with one value per memory,
 * also counts the values that could replace the values in the filter.
 */
export function createMemoryCounts({ reader, list }: Database): Pick<MemoryStore, 'counts'> {
  const countAll = async (userId: string, filter: MemoryFilter) => {
    const counted = reader.selectFrom('memories').where(meetsFilter(userId, filter));
    const { count } = await counted.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    return count;
  };

  const countBy = async (
    userId: string,
    filter: MemoryFilter,
    column: 'source_type' | 'site' | 'client_key',
    limit: number,
  ) => {
    const rows = await reader
      .selectFrom('memories')
      .where(meetsFilter(userId, filter))
      .select([column, ({ fn }) => fn.countAll<number>().as('count')])
      .where(column, 'is not', null)
      .groupBy(column)
      .orderBy('count', 'desc')
      .orderBy(column)
      .limit(limit)
      .execute();
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
      const [total, sourceTypes, sites, tags, months, keys, clients] = await Promise.all([
        countAll(userId, filter),
        countBy(userId, { ...filter, sourceType: undefined }, 'source_type', limit),
        countBy(userId, { ...filter, site: undefined }, 'site', limit),
        countTags(userId, filter, limit),
        countMonths(userId, { ...filter, since: undefined, until: undefined }, limit),
        countBy(userId, { ...filter, by: undefined }, 'client_key', limit),
        countClients(userId, { ...filter, by: undefined }, limit),
      ]);
      return { total, sourceTypes, sites, tags, months, keys, clients };
    },
  };
}
