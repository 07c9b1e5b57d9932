import {
  type DeletedMemory,
  isNumbers,
  type MemoryStore,
  readJson,
  type SortedMemory,
  type StoredMemory,
} from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { storeTimeAt } from '../time/store-time.js';
import { activeMemories } from './active-memories.js';
import { afterPrefix } from './after-prefix.js';
import { isIntact } from './checksum.js';
import { matchingMemories } from './filter.js';
import { findAnswer } from './kept-answers.js';
import { readCounts } from './memory-counts.js';
import { commentsOf, isReading, memoryColumns, pictureColumns, toMemory } from './row.js';
import { isAfter, orders } from './sort.js';

/** How much of a memory's text a list shows, in characters: enough for an excerpt. */
const HEAD = 1_200;

const chunksOfMemory = (userId: string) =>
  sql`from chunks where chunks.user_id = ${userId} and chunks.memory_id = memories.id`;
/** The text of a memory; null if it has no chunks. */
const wholeText = (userId: string) =>
  sql<string | null>`(select string_agg(chunks.text, '' order by chunks.position) ${chunksOfMemory(userId)})`;
const chunkCount = (userId: string) => sql<number>`(select count(*) ${chunksOfMemory(userId)})`;

/** Reads memories by their ids, and page by page. */
export function createMemoryReader({
  reader,
}: Database): Pick<
  MemoryStore,
  'find' | 'findAll' | 'findByPrefix' | 'findAnswer' | 'list' | 'listTrash' | 'findDeleted' | 'countTrash' | 'users'
> {
  // One statement, since a memory may change between two.
  const findBlock = async (userId: string, ids: readonly string[]): Promise<StoredMemory[]> => {
    const rows = await activeMemories(reader, userId)
      .leftJoin('damaged_memories as damaged', (join) =>
        join.on('damaged.user_id', '=', userId).onRef('damaged.memory_id', '=', 'memories.id'),
      )
      .selectAll('memories')
      .select(pictureColumns(userId))
      .select(['damaged.found_at', wholeText(userId).as('text'), chunkCount(userId).as('chunk_count')])
      .where('memories.id', 'in', [...ids])
      .execute();
    return rows.map((row) => {
      const text = row.text ?? '';
      return {
        ...toMemory(row),
        text,
        comments: commentsOf(row),
        contentHash: row.content_hash,
        chunkCount: row.chunk_count,
        turnStarts: row.turn_starts === null ? null : readJson(row.turn_starts, isNumbers, null),
        isDamaged: !isIntact(row, text) || row.found_at !== null || !isReading(row),
      };
    });
  };

  return {
    find: async (userId, id) => (await findBlock(userId, [id]))[0] ?? null,

    async findAll(userId, ids) {
      const memories: StoredMemory[] = [];
      for (const block of blocksOf([...new Set(ids)])) memories.push(...(await findBlock(userId, block)));
      return memories;
    },

    async findByPrefix(userId, prefix, { limit, trash }) {
      const rows = await reader
        .selectFrom('memories')
        .select(['id', 'title', 'deleted_at'])
        .where('user_id', '=', userId)
        .where('id', '>=', prefix)
        .where('id', '<', afterPrefix(prefix))
        .$if(!trash, (query) => query.where('deleted_at', 'is', null))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id, title, deleted_at }) => ({ id, title, isDeleted: deleted_at !== null }));
    },

    findAnswer: (userId, key) => findAnswer(reader, userId, key),

    async list(userId, { limit, after, filter, sort = 'newest' }) {
      const { key, direction } = orders[sort];
      const page = matchingMemories(reader, userId, filter)
        .$if(after !== null, (query) => query.where(isAfter(key, direction, after)))
        .orderBy(key, direction)
        .orderBy('id', direction)
        .limit(limit);
      const rows = await withHeads(reader, userId)
        .select(key.as('key'))
        .where('memories.deleted_at', 'is', null)
        .where('memories.id', 'in', page)
        .orderBy('key', direction)
        .orderBy('memories.id', direction)
        .execute();
      return rows.map(
        (row): SortedMemory => ({
          ...toMemory(row),
          head: row.head,
          chunkCount: row.chunk_count,
          key: row.key,
        }),
      );
    },

    async listTrash(userId, { now, limit, after }) {
      let page = deleted(reader, userId)
        .orderBy('memories.deleted_at', 'desc')
        .orderBy('memories.id', 'desc')
        .limit(limit);
      if (after !== null)
        page = page.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('memories.deleted_at', 'memories.id'), '<', tuple(after.deletedAt, after.id)),
        );
      const elapsed = await elapsedAt(reader, now);
      return (await page.execute()).map((row) => ({ ...toMemory(row), ...deletionOf(row, now, elapsed) }));
    },

    async findDeleted(userId, id, now) {
      const row = await deleted(reader, userId)
        .select(wholeText(userId).as('text'))
        .where('memories.id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { ...toMemory(row), ...deletionOf(row, now, await elapsedAt(reader, now)), text: row.text ?? '' };
    },

    countTrash: async (userId) => (await readCounts(reader, userId)).trash,

    async users() {
      const rows = await reader.selectFrom('store_counts').select(['user_id', 'memories', 'trash']).execute();
      return rows.filter(({ memories, trash }) => memories + trash > 0).map(({ user_id }) => user_id);
    },
  };
}

/** The first chunk. If it is short, it may have only a heading and links, so the second chunk follows. */
const beginning = (
  userId: string,
) => sql<string>`chunks.text || case when length(chunks.text) >= ${sql.lit(HEAD)} then '' else coalesce((
  select next.text from chunks as next
  where next.user_id = ${userId} and next.memory_id = memories.id and next.position = 1
), '') end`;

/** A user's memories, in the trash or not, with the beginning of their text. */
function withHeads(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom('memories')
    .innerJoin('chunks', (join) =>
      join
        .on('chunks.user_id', '=', userId)
        .onRef('chunks.memory_id', '=', 'memories.id')
        .on('chunks.position', '=', 0),
    )
    .select(memoryColumns(userId))
    .select('memories.chunk_count')
    .select(({ fn }) => fn<string>('substr', [beginning(userId), sql.lit(1), sql.lit(HEAD)]).as('head'))
    .where('memories.user_id', '=', userId);
}

/** A user's memories in the trash, with the beginning of their text. */
function deleted(db: Kysely<Tables>, userId: string) {
  return withHeads(db, userId)
    .select(['memories.deleted_at', 'memories.deleted_elapsed'])
    .where('memories.deleted_at', 'is not', null);
}

/** The time that the store has observed. */
async function elapsedAt(db: Kysely<Tables>, now: string): Promise<number> {
  const time = await db.selectFrom('store_time').select(['elapsed', 'looked_at']).executeTakeFirst();
  return time === undefined ? 0 : storeTimeAt(time, now);
}

function deletionOf(
  row: { head: string; chunk_count: number; deleted_at: string | null; deleted_elapsed: number | null },
  now: string,
  elapsed: number,
): Pick<DeletedMemory, 'head' | 'chunkCount' | 'deletedAt' | 'deletedFor'> {
  return {
    head: row.head,
    chunkCount: row.chunk_count,
    deletedAt: row.deleted_at ?? now,
    deletedFor: Math.max(0, elapsed - (row.deleted_elapsed ?? elapsed)),
  };
}
