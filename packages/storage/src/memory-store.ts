import type { FoundUrl, ListedMemory, MemoryStore, PendingChunk, StoredAnswer, StoredMemory } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import type { TextIndexTable } from './dialect.js';
import { matchingMemories } from './filter.js';
import { queueIndexing } from './indexing-job-store.js';
import { insertMemory } from './insert-memory.js';
import { memoryColumns, toMemory } from './row.js';
import type { Database, Tables, Trx } from './tables.js';
import { replaceTags } from './tags.js';
import { writeTextRows } from './text-rows.js';

/** How much of a memory's text a list shows, in characters: enough for an excerpt. */
const HEAD = 600;
/** Chunks in one batch of indexing, so that a very long memory takes several. */
const BATCH_CHUNKS = 256;

/** The memories in a database, portable over dialects. */
export function createMemoryStore({ reader, writer }: Database, textIndex: TextIndexTable): MemoryStore {
  const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => writer.transaction().execute(work);

  return {
    insert: (userId, memories, { replay, indexing }) =>
      inTransaction(async (trx) => {
        const answered = replay === undefined ? null : await findAnswer(trx, userId, replay.key);
        if (answered !== null) return { replayed: answered };
        const saved = [];
        for (const memory of memories) saved.push(await insertMemory(trx, textIndex, userId, memory));
        const now = new Date().toISOString();
        const job = indexing(saved);
        if (job !== null) {
          const remaining = saved.filter(({ chunkIds }) => chunkIds.length > 0).length;
          await queueIndexing(trx, userId, { ...job, remaining, addsToRemaining: true }, now);
        }
        if (replay !== undefined) {
          const { key, requestHash, answer } = replay;
          await trx
            .insertInto('idempotency_answers')
            .values({
              user_id: userId,
              key,
              request_hash: requestHash,
              answer: JSON.stringify(answer(saved)),
              created_at: now,
            })
            .execute();
        }
        return { saved };
      }),

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

    update: (userId, id, change, now) =>
      inTransaction(async (trx) => {
        const row = await live(trx, userId).select(memoryColumns).where('memories.id', '=', id).executeTakeFirst();
        if (row === undefined) return false;
        const before = toMemory(row);
        const after = { ...before, ...change };
        await trx
          .updateTable('memories')
          .set({ title: after.title, tags: JSON.stringify(after.tags), note: after.note, updated_at: now })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .execute();
        if (change.tags !== undefined) await replaceTags(trx, userId, id, after.tags);
        const chunks = await chunksOf(trx, userId, id);
        await textIndex.remove(
          trx,
          chunks.map((chunk) => chunk.id),
        );
        await writeTextRows(trx, textIndex, userId, after, chunks);
        if (after.title !== before.title) await dropEmbeddings(trx, userId, id);
        return true;
      }),

    trash: (userId, id, now) =>
      inTransaction(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('memories')
          .set({ deleted_at: now, updated_at: now })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        const chunks = await chunksOf(trx, userId, id);
        await textIndex.remove(
          trx,
          chunks.map((chunk) => chunk.id),
        );
        await dropEmbeddings(trx, userId, id);
        return true;
      }),

    restore: (userId, id, now) =>
      inTransaction(async (trx) => {
        const row = await trx
          .selectFrom('memories')
          .select(memoryColumns)
          .select('content_hash')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where('deleted_at', 'is not', null)
          .executeTakeFirst();
        if (row === undefined) return 'unknown';
        const twin = await live(trx, userId)
          .select('id')
          .where('content_hash', '=', row.content_hash)
          .executeTakeFirst();
        if (twin !== undefined) return 'duplicate';
        await trx
          .updateTable('memories')
          .set({ deleted_at: null, updated_at: now })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .execute();
        await writeTextRows(trx, textIndex, userId, toMemory(row), await chunksOf(trx, userId, id));
        return 'restored';
      }),

    async countEmbedded(userId, modelId) {
      const { rows } = await sql<{ total: number; withEmbeddings: number }>`
        select count(*) as total, count(e.memory_id) as "withEmbeddings"
        from memories m left join embedded_memories e
          on e.user_id = m.user_id and e.memory_id = m.id
          and e.model_id = (select id from models where name = ${modelId})
        where m.user_id = ${userId} and m.deleted_at is null`.execute(reader);
      return rows[0] ?? { total: 0, withEmbeddings: 0 };
    },

    async hasEmbeddings(userId, modelId, id) {
      const row = await reader
        .selectFrom('embedded_memories')
        .innerJoin('models', 'models.id', 'embedded_memories.model_id')
        .select('memory_id')
        .where('user_id', '=', userId)
        .where('models.name', '=', modelId)
        .where('memory_id', '=', id)
        .executeTakeFirst();
      return row !== undefined;
    },

    async pendingChunks(userId, modelId, memories) {
      const { rows } = await sql<{ id: string }>`
        select m.id from memories m
        where m.user_id = ${userId} and m.deleted_at is null and not exists (
          select 1 from embedded_memories e
          where e.user_id = m.user_id and e.memory_id = m.id
            and e.model_id = (select id from models where name = ${modelId}))
        order by m.id limit ${memories}`.execute(reader);
      return pendingChunksOf(
        reader,
        userId,
        modelId,
        rows.map(({ id }) => id),
      );
    },

    pendingChunksOf: (userId, modelId, id) => pendingChunksOf(reader, userId, modelId, [id]),

    async users() {
      const rows = await reader.selectFrom('memories').select('user_id').distinct().execute();
      return rows.map(({ user_id }) => user_id);
    },

    purge: ({ trashed, answered }) =>
      inTransaction(async (trx) => {
        await trx.deleteFrom('memories').where('deleted_at', '<', trashed).execute();
        await trx.deleteFrom('idempotency_answers').where('created_at', '<', answered).execute();
      }),
  };
}

function live(db: Kysely<Tables>, userId: string) {
  return db.selectFrom('memories').where('memories.user_id', '=', userId).where('memories.deleted_at', 'is', null);
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

function chunksOf(db: Kysely<Tables>, userId: string, id: string) {
  return db
    .selectFrom('chunks')
    .select(['id', 'position', 'text'])
    .where('user_id', '=', userId)
    .where('memory_id', '=', id)
    .orderBy('position')
    .execute();
}

async function pendingChunksOf(
  db: Kysely<Tables>,
  userId: string,
  modelId: string,
  ids: readonly string[],
): Promise<PendingChunk[]> {
  const { rows } = await sql<PendingChunk>`
    select c.id as "chunkId", c.memory_id as "memoryId", m.title, before.text as previous, c.text
    from chunks c
    join memories m on m.user_id = c.user_id and m.id = c.memory_id and m.deleted_at is null
    left join chunks before
      on before.user_id = c.user_id and before.memory_id = c.memory_id and before.position = c.position - 1
    where c.user_id = ${userId} and c.memory_id in ${idsIn(ids)}
      and not exists (
        select 1 from embeddings e
        where e.user_id = c.user_id and e.chunk_id = c.id
          and e.model_id = (select id from models where name = ${modelId}))
    order by c.memory_id, c.position limit ${BATCH_CHUNKS}`.execute(db);
  return rows;
}

async function dropEmbeddings(trx: Trx, userId: string, id: string): Promise<void> {
  await trx.deleteFrom('embedded_memories').where('user_id', '=', userId).where('memory_id', '=', id).execute();
  await sql`delete from embeddings where chunk_id in (
    select id from chunks where user_id = ${userId} and memory_id = ${id})`.execute(trx);
}

/** A list as one parameter, so that its length does not change the statement. */
function idsIn(ids: readonly string[]) {
  return sql<string>`(select value from json_each(${JSON.stringify(ids)}))`;
}
