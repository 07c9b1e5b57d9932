import type { DeletedMemory, ListedMemory, MemoryStore, StoredMemory } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { storeTimeAt } from '../time/store-time.js';
import { matchingMemories } from './filter.js';
import { findAnswer } from './kept-answers.js';
import { chunksOf, live } from './live.js';
import { memoryColumns, toMemory } from './row.js';

/** How much of a memory's text a list shows, in characters: enough for an excerpt. */
const HEAD = 600;

/** Reads memories by their ids, and page by page. */
export function createMemoryReader({
  reader,
}: Database): Pick<MemoryStore, 'find' | 'findAnswer' | 'list' | 'listTrash' | 'countTrash' | 'users'> {
  return {
    async find(userId, id) {
      const row = await live(reader, userId)
        .select(memoryColumns)
        .select('turn_starts')
        .where('memories.id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return null;
      const chunks = await chunksOf(reader, userId, id);
      const memory: StoredMemory = {
        ...toMemory(row),
        text: chunks.map(({ text }) => text).join(''),
        chunkCount: chunks.length,
        turnStarts: row.turn_starts === null ? null : JSON.parse(row.turn_starts),
      };
      return memory;
    },

    findAnswer: (userId, key) => findAnswer(reader, userId, key),

    async list(userId, { limit, after, filter }) {
      let page = matchingMemories(reader, userId, filter)
        .orderBy('captured_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after !== null)
        page = page.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('captured_at', 'id'), '<', tuple(after.capturedAt, after.id)),
        );
      const rows = await withHeads(reader, userId)
        .where('memories.deleted_at', 'is', null)
        .where('memories.id', 'in', page)
        .orderBy('memories.captured_at', 'desc')
        .orderBy('memories.id', 'desc')
        .execute();
      return rows.map((row): ListedMemory => ({ ...toMemory(row), head: row.head }));
    },

    async listTrash(userId, { now, limit, after }) {
      const time = await reader.selectFrom('store_time').select(['elapsed', 'looked_at']).executeTakeFirst();
      let page = withHeads(reader, userId)
        .select(['memories.deleted_at', 'memories.deleted_elapsed'])
        .where('memories.deleted_at', 'is not', null)
        .orderBy('memories.deleted_at', 'desc')
        .orderBy('memories.id', 'desc')
        .limit(limit);
      if (after !== null)
        page = page.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('memories.deleted_at', 'memories.id'), '<', tuple(after.deletedAt, after.id)),
        );
      const elapsed = time === undefined ? 0 : storeTimeAt(time, now);
      return (await page.execute()).map(
        (row): DeletedMemory => ({
          ...toMemory(row),
          head: row.head,
          deletedAt: row.deleted_at ?? now,
          deletedFor: Math.max(0, elapsed - (row.deleted_elapsed ?? elapsed)),
        }),
      );
    },

    async countTrash(userId) {
      const { count } = await reader
        .selectFrom('memories')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return count;
    },

    async users() {
      const rows = await reader.selectFrom('memories').select('user_id').distinct().execute();
      return rows.map(({ user_id }) => user_id);
    },
  };
}

/** A user's memories, in the trash or not, with the beginning of their text. */
function withHeads(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom('memories')
    .innerJoin('chunks', (join) =>
      join
        .onRef('chunks.user_id', '=', 'memories.user_id')
        .onRef('chunks.memory_id', '=', 'memories.id')
        .on('chunks.position', '=', 0),
    )
    .select(memoryColumns)
    .select(({ fn }) => fn<string>('substr', ['chunks.text', sql.lit(1), sql.lit(HEAD)]).as('head'))
    .where('memories.user_id', '=', userId);
}
