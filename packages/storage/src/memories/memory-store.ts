import {
  type FoundUrl,
  inCapture,
  type ListedMemory,
  type MemoryStore,
  RecollectError,
  type StoredAnswer,
  type StoredMemory,
} from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { restoreMemory, trashMemory, updateMemory } from './change-memory.js';
import type { TextIndexTable } from '../dialect.js';
import { createEmbeddingState } from '../indexing/embedding-state.js';
import { writeEvents } from '../plugins/event-outbox.js';
import { matchingMemories } from './filter.js';
import { insertMemory } from './insert-memory.js';
import { checkLease } from '../leases/lease-store.js';
import { chunksOf, idsIn, live } from './live.js';
import type { Observers } from '../plugins/observers.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { memoryColumns, toMemory } from './row.js';
import { readStoreTime, takeClockJump } from '../time/store-time.js';
import type { Database, Tables, Trx } from '../tables.js';
import type { Ticks } from '../time/ticks.js';

/** How much of a memory's text a list shows, in characters: enough for an excerpt. */
const HEAD = 600;

/** The memories in a database, portable over dialects. */
export function createMemoryStore(
  { reader, writer }: Database,
  textIndex: TextIndexTable,
  observers: Observers,
  ticks: Ticks,
): MemoryStore {
  const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => writer.transaction().execute(work);

  return {
    async insert(userId, memories, { now, replay, indexing, setsOffHooks, under }) {
      const tellsPlugins = setsOffHooks && (await observers.areThere());
      return inTransaction(async (trx) => {
        if (under !== undefined) await checkLease(trx, under, ticks());
        const answered = replay === undefined ? null : await findAnswer(trx, userId, replay.key);
        if (answered !== null) return { replayed: answered };
        const saved = [];
        for (const [position, memory] of memories.entries()) {
          const inserted = insertMemory(trx, textIndex, userId, memory);
          saved.push(await inserted.catch((error) => throwIn(error, position, memories.length)));
        }
        const at = now.toISOString();
        const job = indexing(saved);
        const remaining = saved.filter(({ added }) => added.length > 0).length;
        const indexingJobId = job === null ? null : await addIndexing(trx, userId, job, remaining, at);
        const hooksTriggered = tellsPlugins ? await writeEvents(trx, userId, saved, now) : 0;
        if (replay !== undefined) {
          const { key, requestHash, answer } = replay;
          const elapsed = await readStoreTime(trx, at);
          await trx
            .insertInto('idempotency_answers')
            .values({
              user_id: userId,
              key,
              request_hash: requestHash,
              answer: JSON.stringify(answer(saved, hooksTriggered)),
              created_at: at,
              created_elapsed: elapsed,
            })
            .execute();
        }
        return { saved, hooksTriggered, indexingJobId };
      });
    },

    findAnswer: (userId, key) => findAnswer(reader, userId, key),

    async updateAnswer(userId, key, answer) {
      await writer
        .updateTable('idempotency_answers')
        .set({ answer: JSON.stringify(answer) })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute();
    },

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

    async list(userId, { limit, after, filter }) {
      let page = matchingMemories(reader, userId, filter)
        .orderBy('captured_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after !== null) page = page.where(sql<boolean>`(captured_at, id) < (${after.capturedAt}, ${after.id})`);
      const rows = await live(reader, userId)
        .innerJoin('chunks', (join) =>
          join
            .onRef('chunks.user_id', '=', 'memories.user_id')
            .onRef('chunks.memory_id', '=', 'memories.id')
            .on('chunks.position', '=', 0),
        )
        .select(memoryColumns)
        .select(sql<string>`substr(chunks.text, 1, ${sql.lit(HEAD)})`.as('head'))
        .where('memories.id', 'in', page)
        .orderBy('memories.captured_at', 'desc')
        .orderBy('memories.id', 'desc')
        .execute();
      return rows.map((row): ListedMemory => ({ ...toMemory(row), head: row.head }));
    },

    async readHits(userId, hits) {
      const rows = await live(reader, userId)
        .innerJoin('chunks', (join) =>
          join.onRef('chunks.user_id', '=', 'memories.user_id').onRef('chunks.memory_id', '=', 'memories.id'),
        )
        .select(memoryColumns)
        .select('chunks.text as chunk')
        .where(
          'chunks.id',
          'in',
          sql<number>`(select value from json_each(${JSON.stringify(hits.map(({ chunkId }) => chunkId))}))`,
        )
        .execute();
      return new Map(rows.map((row) => [row.id, { ...toMemory(row), chunk: row.chunk }]));
    },

    async lookup(userId, urlKeys) {
      const rows = await live(reader, userId)
        .select(['url_key', 'id', 'title', 'captured_at', 'last_captured_at'])
        .where('url_key', 'in', idsIn(urlKeys))
        .orderBy('last_captured_at')
        .execute();
      // Later rows win, so each key keeps its newest memory.
      const newest = new Map(
        rows.map((row): [string, FoundUrl] => [
          row.url_key ?? '',
          {
            urlKey: row.url_key ?? '',
            id: row.id,
            title: row.title,
            capturedAt: row.captured_at,
            lastCapturedAt: row.last_captured_at,
          },
        ]),
      );
      return [...newest.values()];
    },

    ...createEmbeddingState(reader),

    update: (userId, id, change, { now, indexing, under }) =>
      inTransaction(async (trx) => {
        if (under !== undefined) await checkLease(trx, under, ticks());
        return updateMemory(trx, textIndex, userId, id, change, { now, indexing });
      }),
    trash: (userId, id, now) => inTransaction((trx) => trashMemory(trx, textIndex, userId, id, now)),
    restore: (userId, id, options) => inTransaction((trx) => restoreMemory(trx, textIndex, userId, id, options)),

    async tags(userId, limit) {
      return live(reader, userId)
        .innerJoin('memory_tags', (join) =>
          join.onRef('memory_tags.user_id', '=', 'memories.user_id').onRef('memory_tags.memory_id', '=', 'memories.id'),
        )
        .select(['memory_tags.tag', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('memory_tags.tag')
        .orderBy('count', 'desc')
        .orderBy('memory_tags.tag')
        .limit(limit)
        .execute();
    },

    async idsBeginning(userId, prefix, limit) {
      const rows = await live(reader, userId)
        .select('memories.id')
        .where('memories.id', '>=', prefix)
        // Behind every character that an id may go on with.
        .where('memories.id', '<', `${prefix}~`)
        .orderBy('memories.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async users() {
      const rows = await reader.selectFrom('memories').select('user_id').distinct().execute();
      return rows.map(({ user_id }) => user_id);
    },

    purge: ({ now, trashedFor, answeredFor }) =>
      inTransaction(async (trx) => {
        const elapsed = await readStoreTime(trx, now);
        const clockJump = await takeClockJump(trx);
        if (clockJump > 0) return { clockJump };
        await trx
          .deleteFrom('memories')
          .where('deleted_at', 'is not', null)
          .where('deleted_elapsed', '<', elapsed - trashedFor)
          .execute();
        await trx
          .deleteFrom('idempotency_answers')
          .where('created_elapsed', '<', elapsed - answeredFor)
          .execute();
        return { clockJump };
      }),
  };
}

/** What is wrong with one capture's fields is reported with its position. */
function throwIn(error: unknown, position: number, count: number): never {
  throw error instanceof RecollectError && error.errors.length > 0 ? inCapture(error, position, count > 1) : error;
}

async function findAnswer(db: Kysely<Tables>, userId: string, key: string): Promise<StoredAnswer | null> {
  const row = await db
    .selectFrom('idempotency_answers')
    .select(['request_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : { requestHash: row.request_hash, answer: JSON.parse(row.answer) };
}
