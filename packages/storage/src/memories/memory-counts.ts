import type { ClientKind, CountsAnswer } from '@recollect/contract';
import type { MemoryFilter, MemoryStore } from '@recollect/core';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { countBranches, findBranches } from './branches.js';
import { hasFilter, matchingMemories, meetsFilter } from './filter.js';

type Count = CountsAnswer['sites'][number];

/**
 * Counts memories by their facts. Indexes cover them, so that no memory is read. For a fact with one value per memory,
 * also counts the values that could replace the values in the filter.
 */
export function createMemoryCounts({
  reader,
  isIn,
}: Database): Pick<MemoryStore, 'counts' | 'placeCounts' | 'branchCounts'> {
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
    const spelled = await readSpellings(
      { reader, isIn },
      userId,
      rows.map(({ key }) => key),
    );
    // A tag stands for the tags below it, as it does in a filter.
    const branches = await findBranches(
      reader,
      userId,
      rows.map(({ key }) => key),
    );
    const nested = await countBranches(reader, userId, branches, filter);
    const counts = rows.map(({ key, count }) => ({ value: spelled.get(key) ?? key, count: nested.get(key) ?? count }));
    return branches.length === 0 ? counts : counts.sort((one, other) => other.count - one.count);
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
    branchCounts: (userId, branches) => countBranches(reader, userId, branches),

    async placeCounts(userId) {
      const { memories, inbox, later } = await readCounts(reader, userId);
      return { inbox, later, archive: memories - inbox - later };
    },

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

type StoreCountsRow = Omit<Selectable<Tables['store_counts']>, 'user_id'>;

const NONE: StoreCountsRow = {
  memories: 0,
  trash: 0,
  chunks: 0,
  highlights: 0,
  pictures: 0,
  picture_bytes: 0,
  text_bytes: 0,
  inbox: 0,
  later: 0,
};

/** How much a user has saved, as the database counts with each change. */
export async function readCounts(db: Kysely<Tables>, userId: string): Promise<StoreCountsRow> {
  const row = await db
    .selectFrom('store_counts')
    .select(['memories', 'trash', 'chunks', 'highlights', 'pictures', 'picture_bytes', 'text_bytes', 'inbox', 'later'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? NONE;
}

/** A user's tags by their keys with how many live memories have each, the most frequent first. */
export function countedTags(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom('memory_tags')
    .select(['key', ({ fn }) => fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('key')
    .orderBy('count', 'desc')
    .orderBy('key');
}

/** When the memories with these ids were saved. */
export async function readTimes(
  { reader, isIn }: Pick<Database, 'reader' | 'isIn'>,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await reader
    .selectFrom('memories')
    .select(['id', 'captured_at'])
    .where('user_id', '=', userId)
    .where(isIn('id', ids))
    .execute();
  return new Map(rows.map(({ id, captured_at }) => [id, captured_at]));
}

/** How the first memory with each of these tags spells it, by the tag's key. */
export async function readSpellings(
  { reader, isIn }: Pick<Database, 'reader' | 'isIn'>,
  userId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await reader
    .selectFrom('memory_tags as present')
    .select(['present.key', 'present.tag'])
    .where('present.user_id', '=', userId)
    .where(isIn('present.key', keys))
    .where('present.memory_id', '=', ({ selectFrom }) =>
      selectFrom('memory_tags as any')
        .select(({ fn }) => fn.min('any.memory_id').as('first'))
        .where('any.user_id', '=', userId)
        .whereRef('any.key', '=', 'present.key'),
    )
    .execute();
  return new Map(rows.map(({ key, tag }) => [key, tag]));
}
