import type { FoundMemory, MemoryFilter, TitledMemory } from '@recollect/core';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../dialect.js';
import { prepared } from '../prepared.js';
import type { Tables } from '../tables.js';
import { activeMemories } from './active-memories.js';
import { hasFilter, matchingMemories } from './filter.js';
import { memoryColumns, toMemory } from './row.js';
import { titleKey } from './sort.js';

/**
 * Whole pages of one address are versions of one another. Selections are independent passages, and different
 * conversations may have one address.
 */
export const VERSIONED = 'page';

/** How many live whole pages have the URL key of the memory that is being read. An index has all that this needs. */
function countVersions(builder: ExpressionBuilder<Tables, 'memories'>, userId: string) {
  return builder
    .selectFrom('memories as version')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('version.user_id', '=', userId)
    .whereRef('version.url_key', '=', 'memories.url_key')
    .where('version.capture_mode', '=', VERSIONED)
    .where('version.deleted_at', 'is', null);
}

/** The live memories of chunks that meet a condition. */
export function foundMemories(
  { reader, utf16Length }: Pick<Database, 'reader' | 'utf16Length'>,
  userId: string,
  condition: Expression<SqlBool>,
) {
  return (
    reader
      .selectFrom('chunks')
      .modifyFront(prepared)
      // `cross` fixes the join order in SQLite: without statistics, as in a store that was never closed, it would read
      // all memories.
      .crossJoin('memories')
      .where('chunks.user_id', '=', userId)
      .where('memories.user_id', '=', userId)
      .whereRef('memories.id', '=', 'chunks.memory_id')
      .where('memories.deleted_at', 'is', null)
      .select(memoryColumns(userId))
      .select(['chunks.text as chunk', 'memories.url_key', 'memories.chunk_count'])
      .select((builder) => [
        countVersions(builder, userId).as('versions'),
        // Most memories are one chunk, which no text precedes.
        builder
          .case()
          .when('chunks.position', '>', 0)
          .then(
            builder
              .selectFrom('chunks as earlier')
              .where('earlier.user_id', '=', userId)
              .whereRef('earlier.memory_id', '=', 'chunks.memory_id')
              .whereRef('earlier.position', '<', 'chunks.position')
              .select(({ fn, ref }) => fn.sum<number | null>(utf16Length(ref('earlier.text'))).as('before')),
          )
          .end()
          .as('before'),
      ])
      .where(condition)
  );
}

/** A row of {@link foundMemories}. */
export type FoundRow = Parameters<typeof toMemory>[0] & {
  chunk: string;
  before: number | null;
  url_key: string | null;
  versions: number | null;
  chunk_count: number;
};

/** The memories of rows, by their ids. */
export function byId(rows: readonly FoundRow[]): Map<string, FoundMemory> {
  return new Map(rows.map((row) => [row.id, toFoundMemory(row)]));
}

function toFoundMemory({
  chunk,
  before,
  url_key: urlKey,
  versions,
  chunk_count: chunkCount,
  ...row
}: FoundRow): FoundMemory {
  const memory = toMemory(row);
  const isVersion = memory.captureMode === VERSIONED && urlKey !== null;
  return {
    ...memory,
    chunk,
    chunkOffset: Number(before ?? 0),
    chunkCount,
    versionOf: isVersion ? { urlKey, versions: versions ?? 1 } : null,
  };
}

/** Reads the live memories of chunks, by their ids. */
export async function readFound(
  database: Pick<Database, 'reader' | 'utf16Length' | 'isIn'>,
  userId: string,
  chunkIds: readonly number[],
): Promise<Map<string, FoundMemory>> {
  return byId(await foundMemories(database, userId, database.isIn('chunks.id', chunkIds)).execute());
}

/** The most memories with one title that a search finds, and that it compares with a filter. */
export const MAX_TITLED = { shown: 3, filtered: 100 };

const firstChunk = (userId: string) => sql<number>`(select chunks.id from chunks
  where chunks.user_id = ${userId} and chunks.memory_id = memories.id order by chunks.position limit 1)`;

export interface TitleValues {
  userId: string;
  title: string;
  /** An index has the keys, which are the same for such titles. */
  key: string;
  limit: number;
}

/** The values of {@link titledMemories}. */
export function titleValues(userId: string, title: string, isFiltered: boolean): TitleValues {
  return { userId, title, key: titleKey(title), limit: isFiltered ? MAX_TITLED.filtered : MAX_TITLED.shown };
}

/** The newest live memories with a title, compared without regard to case, each with its first chunk. */
export function titledMemories(reader: Kysely<Tables>, { userId, title, key, limit }: TitleValues) {
  return activeMemories(reader, userId)
    .modifyFront(prepared)
    .select(['memories.id as memoryId', firstChunk(userId).as('chunkId')])
    .where('title_key', '=', key)
    .where(sql<boolean>`lower(memories.title) = lower(${title})`)
    .orderBy('captured_at', 'desc')
    .limit(sql<number>`${limit}`);
}

/** Finds the newest memories with a title that meet a filter. */
export async function findTitled(
  { reader, isIn }: Pick<Database, 'reader' | 'isIn'>,
  userId: string,
  title: string,
  filter: MemoryFilter,
): Promise<TitledMemory[]> {
  const named = await titledMemories(reader, titleValues(userId, title, hasFilter(filter))).execute();
  if (named.length === 0 || !hasFilter(filter)) return named;
  // In one statement, the database may first find all memories with a tag, although most titles are of none.
  const ids = named.map(({ memoryId }) => memoryId);
  const matching = await matchingMemories(reader, userId, filter).where(isIn('id', ids)).execute();
  const matchingIds = new Set(matching.map(({ id }) => id));
  return named.filter(({ memoryId }) => matchingIds.has(memoryId)).slice(0, MAX_TITLED.shown);
}
