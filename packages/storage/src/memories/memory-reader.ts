import type { ListedMemory, MemoryStore, StoredMemory } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';
import { matchingMemories } from './filter.js';
import { findAnswer } from './kept-answers.js';
import { chunksOf, live } from './live.js';
import { memoryColumns, toMemory } from './row.js';

/** How much of a memory's text a list shows, in characters: enough for an excerpt. */
const HEAD = 600;

/** Reads memories by their ids, and page by page. */
export function createMemoryReader({ reader }: Database): Pick<MemoryStore, 'find' | 'findAnswer' | 'list' | 'users'> {
  return {
    async find(userId, id) {
      const row = await live(reader, userId).select(memoryColumns).where('memories.id', '=', id).executeTakeFirst();
      if (row === undefined) return null;
      const chunks = await chunksOf(reader, userId, id);
      const memory: StoredMemory = {
        ...toMemory(row),
        text: chunks.map(({ text }) => text).join(''),
        chunkCount: chunks.length,
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
      const rows = await live(reader, userId)
        .innerJoin('chunks', (join) =>
          join
            .onRef('chunks.user_id', '=', 'memories.user_id')
            .onRef('chunks.memory_id', '=', 'memories.id')
            .on('chunks.position', '=', 0),
        )
        .select(memoryColumns)
        .select(({ fn }) => fn<string>('substr', ['chunks.text', sql.lit(1), sql.lit(HEAD)]).as('head'))
        .where('memories.id', 'in', page)
        .orderBy('memories.captured_at', 'desc')
        .orderBy('memories.id', 'desc')
        .execute();
      return rows.map((row): ListedMemory => ({ ...toMemory(row), head: row.head }));
    },

    async users() {
      const rows = await reader.selectFrom('memories').select('user_id').distinct().execute();
      return rows.map(({ user_id }) => user_id);
    },
  };
}
