import type { EmbeddingNeeds, MemoryStore, PendingChunk } from '@recollect/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../dialect.js';
import { readCounts } from '../memories/memory-counts.js';

import type { Tables } from '../tables.js';

/** Chunks in one batch of indexing. A very long memory takes several batches. */
const BATCH_CHUNKS = 256;
/** Memories whose chunks are counted at a time. */
const MEMORIES_PER_COUNT = 1_000_000;

type EmbeddingState = Pick<
  MemoryStore,
  'countEmbedded' | 'countPendingChunks' | 'hasEmbeddings' | 'pendingChunks' | 'pendingChunksOf'
>;

/** A chunk `c` has the wanted vectors. */
const hasAll = (userId: string, modelId: string, { withPassages = false }: EmbeddingNeeds) => {
  const model = sql`(select id from models where name = ${modelId})`;
  const table = withPassages ? sql`passage_vectors` : sql`embeddings`;
  return sql`exists (select 1 from ${table} e where e.user_id = ${userId} and e.chunk_id = c.id and e.model_id = ${model})`;
};

/** Which of a user's memories and chunks have embeddings of a model, and which lack them. */
export function createEmbeddingState({ reader, isIn }: Database): EmbeddingState {
  const pendingChunksOf = async (
    userId: string,
    modelId: string,
    ids: readonly string[],
    needs: EmbeddingNeeds,
    skip = 0,
  ): Promise<PendingChunk[]> => {
    if (ids.length === 0) return [];
    const { rows } = await sql<PendingChunk>`
      select c.id as "chunkId", c.memory_id as "memoryId", m.title, p.text as previous, c.text
      from chunks c
      join memories m on m.user_id = ${userId} and m.id = c.memory_id and m.deleted_at is null
      left join chunks p
        on p.user_id = ${userId} and p.memory_id = c.memory_id and p.position = c.position - 1
      where c.user_id = ${userId} and ${isIn('c.memory_id', ids)}
        and not ${hasAll(userId, modelId, needs)}
      order by c.memory_id, c.position limit ${BATCH_CHUNKS} offset ${skip}`.execute(reader);
    return rows;
  };

  const countWithoutText = async (userId: string) => {
    const { count } = await reader
      .selectFrom('memories')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .where('chunk_count', '=', 0)
      .executeTakeFirstOrThrow();
    return count;
  };

  return {
    async countEmbedded(userId, modelId, needs = {}) {
      // Without a model, only those are done that have nothing to embed.
      if (modelId === null)
        return { total: (await readCounts(reader, userId)).memories, withEmbeddings: await countWithoutText(userId) };
      const { total, pending } = await countPending(reader, { userId, modelId, needs });
      return { total, withEmbeddings: total - pending };
    },

    async countPendingChunks(userId, modelId, needs = {}) {
      const ids = await findPending(reader, { userId, modelId, needs }, MEMORIES_PER_COUNT);
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from chunks c
        where c.user_id = ${userId} and ${isIn('c.memory_id', ids)} and not ${hasAll(userId, modelId, needs)}`.execute(
        reader,
      );
      return rows[0]?.count ?? 0;
    },

    async hasEmbeddings(userId, modelId, id, { withPassages = false } = {}) {
      const row = await reader
        .selectFrom('embedded_memories')
        .innerJoin('models', 'models.id', 'embedded_memories.model_id')
        .select('memory_id')
        .where('embedded_memories.user_id', '=', userId)
        .where('models.name', '=', modelId)
        .where('memory_id', '=', id)
        .where('has_passages', '>=', withPassages ? 1 : 0)
        .executeTakeFirst();
      return row !== undefined;
    },

    async pendingChunks(userId, modelId, memories, needs = {}, skip = 0) {
      const ids = await findPending(reader, { userId, modelId, needs }, memories);
      return pendingChunksOf(userId, modelId, ids, needs, skip);
    },

    pendingChunksOf: (userId, modelId, id, needs = {}) => pendingChunksOf(userId, modelId, [id], needs),
  };
}

/** Selects memories that a model has not embedded. */
interface Wanted {
  userId: string;
  /** The name of the model. */
  modelId: string;
  needs: EmbeddingNeeds;
}

/**
 * The memories of a user that a model has not embedded: those without any embeddings first, each group by their ids.
 */
export async function findPending(db: Kysely<Tables>, wanted: Wanted, limit: number): Promise<string[]> {
  const groups = await groupsOf(db, wanted);
  const some = groups.map(
    (group, at) =>
      sql`select id from (select m.id ${group} order by m.embedded_by, m.id limit ${limit}) as ${sql.ref(`g${at}`)}`,
  );
  const { rows } = await sql<{ id: string }>`${sql.join(some, sql` union all `)} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many live memories a user has, and how many of them a model has not embedded. */
async function countPending(db: Kysely<Tables>, wanted: Wanted): Promise<{ total: number; pending: number }> {
  const counts = (await groupsOf(db, wanted)).map((group) => sql`(select count(*) ${group})`);
  // One statement, since a capture between two would make a difference.
  const { rows } = await sql<{ total: number; pending: number }>`
    select memories as total, ${sql.join(counts, sql` + `)} as pending from store_counts
    where user_id = ${wanted.userId}`.execute(db);
  return rows[0] ?? { total: 0, pending: 0 };
}

/**
 * The rows of an index in which such a memory `m` can be. Rows of other models can include memories that this model has
 * embedded, after a change to another model and back.
 */
async function groupsOf(
  db: Kysely<Tables>,
  { userId, modelId, needs: { withPassages = false } }: Wanted,
): Promise<RawBuilder<unknown>[]> {
  const model = await db.selectFrom('models').select('id').where('name', '=', modelId).executeTakeFirst();
  const id = model?.id ?? 0;
  const isDone = sql`exists (select 1 from embedded_memories e where e.user_id = ${userId} and e.memory_id = m.id
    and e.model_id = ${id} and e.has_passages >= ${withPassages ? 1 : 0})`;
  // Damage can take the text of a memory away, and leaves nothing to embed. The plus keeps SQLite from the index of
  // lengths.
  const rows = sql`from memories m where m.user_id = ${userId} and m.deleted_at is null and +m.chunk_count > 0`;
  const [first, last] = [2 * id + (withPassages ? 1 : 0), 2 * id + 1];
  return [
    sql`${rows} and m.embedded_by is null`,
    sql`${rows} and m.embedded_by < ${first} and not ${isDone}`,
    sql`${rows} and m.embedded_by > ${last} and not ${isDone}`,
  ];
}
