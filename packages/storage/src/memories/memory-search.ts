import type { FoundUrl, MemoryStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { matchingMemories } from './filter.js';
import { live } from './live.js';
import { memoryColumns, toMemory } from './row.js';

/** Looks up memories by search hits, URLs, tags and id prefixes. */
export function createMemorySearch({
  reader,
  list,
}: Database): Pick<MemoryStore, 'readHits' | 'lookup' | 'withUrl' | 'matching' | 'tags' | 'idsWithPrefix'> {
  return {
    async readHits(userId, hits) {
      const rows = await live(reader, userId)
        .innerJoin('chunks', (join) =>
          join.onRef('chunks.user_id', '=', 'memories.user_id').onRef('chunks.memory_id', '=', 'memories.id'),
        )
        .select(memoryColumns)
        .select('chunks.text as chunk')
        .where('chunks.id', 'in', list.numbers(hits.map(({ chunkId }) => chunkId)))
        .execute();
      return new Map(rows.map((row) => [row.id, { ...toMemory(row), chunk: row.chunk }]));
    },

    async lookup(userId, urlKeys) {
      const rows = await live(reader, userId)
        .select(['url_key', 'id', 'title', 'captured_at', 'last_captured_at'])
        .where('url_key', 'in', list.texts(urlKeys))
        .orderBy('last_captured_at')
        .execute();
      // Later rows win, so each key keeps its newest memory.
      return [...new Map(rows.map(toFoundUrl).map((found) => [found.urlKey, found])).values()];
    },

    async withUrl(userId, urlKey, limit) {
      const rows = await live(reader, userId)
        .select(['url_key', 'id', 'title', 'captured_at', 'last_captured_at'])
        .where('url_key', '=', urlKey)
        .orderBy('captured_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toFoundUrl);
    },

    async matching(userId, filter) {
      const rows = await matchingMemories(reader, userId, filter)
        .orderBy('captured_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ id }) => id);
    },

    async tags(userId, limit) {
      return reader
        .selectFrom('memory_tags')
        .where('user_id', '=', userId)
        .select(['tag', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('tag')
        .orderBy('count', 'desc')
        .orderBy('tag')
        .limit(limit)
        .execute();
    },

    async idsWithPrefix(userId, prefix, limit) {
      const rows = await live(reader, userId)
        .select('memories.id')
        .where('memories.id', '>=', prefix)
        // Sorts after every character that an id can contain.
        .where('memories.id', '<', `${prefix}~`)
        .orderBy('memories.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

function toFoundUrl(row: {
  url_key: string | null;
  id: string;
  title: string;
  captured_at: string;
  last_captured_at: string;
}): FoundUrl {
  return {
    urlKey: row.url_key ?? '',
    id: row.id,
    title: row.title,
    capturedAt: row.captured_at,
    lastCapturedAt: row.last_captured_at,
  };
}
