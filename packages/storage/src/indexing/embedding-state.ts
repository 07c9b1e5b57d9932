import type { EmbeddingNeeds, MemoryStore, PendingChunk } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';

/** Chunks in one batch of indexing. A very long memory takes several batches. */
const BATCH_CHUNKS = 256;

type EmbeddingState = Pick<
  MemoryStore,
  'countEmbedded' | 'countPendingChunks' | 'hasEmbeddings' | 'pendingChunks' | 'pendingChunksOf'
>;

/** Matches the memories that are done: with passage vectors, if these are wanted. `e` are rows of `embedded_memories`. */
const isDone = ({ withPassages = false }: EmbeddingNeeds) => (withPassages ? sql`and e.has_passages = 1` : sql``);

/** A chunk `c` has what is wanted. */
const hasAll = (modelId: string, { withPassages = false }: EmbeddingNeeds) => {
  const model = sql`(select id from models where name = ${modelId})`;
  const table = withPassages ? sql`passage_vectors` : sql`embeddings`;
  return sql`exists (select 1 from ${table} e where e.user_id = c.user_id and e.chunk_id = c.id and e.model_id = ${model})`;
};

/** A memory `m` has a text. Damage can take it away, and leaves nothing to embed. */
const hasText = sql`exists (select 1 from chunks c where c.user_id = m.user_id and c.memory_id = m.id)`;

/** Which of a user's memories and chunks have embeddings of a model, and which lack them. */
export function createEmbeddingState({ reader, list }: Database): EmbeddingState {
  const pendingChunksOf = async (
    userId: string,
    modelId: string,
    ids: readonly string[],
    needs: EmbeddingNeeds,
    skip = 0,
  ): Promise<PendingChunk[]> => {
    const { rows } = await sql<PendingChunk>`
      select c.id as "chunkId", c.memory_id as "memoryId", m.title, p.text as previous, c.text
      from chunks c
      join memories m on m.user_id = c.user_id and m.id = c.memory_id and m.deleted_at is null
      left join chunks p
        on p.user_id = c.user_id and p.memory_id = c.memory_id and p.position = c.position - 1
      where c.user_id = ${userId} and c.memory_id in ${list.texts(ids)}
        and not ${hasAll(modelId, needs)}
      order by c.memory_id, c.position limit ${BATCH_CHUNKS} offset ${skip}`.execute(reader);
    return rows;
  };

  /** Where the last search for pending memories began to find some: in a long backfill, all before are done. */
  const firstPending = new Map<string, string>();

  const pendingMemories = async (
    userId: string,
    modelId: string,
    { from, limit, needs }: { from: string; limit: number; needs: EmbeddingNeeds },
  ): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`
      select m.id from memories m
      where m.user_id = ${userId} and m.id >= ${from} and m.deleted_at is null and not exists (
        select 1 from embedded_memories e
        where e.user_id = m.user_id and e.memory_id = m.id
          and e.model_id = (select id from models where name = ${modelId}) ${isDone(needs)})
        and ${hasText}
      order by m.id limit ${limit}`.execute(reader);
    return rows.map(({ id }) => id);
  };

  return {
    async countEmbedded(userId, modelId, needs = {}) {
      const { rows } = await sql<{ total: number; withEmbeddings: number }>`
        select count(*) as total, count(case when e.memory_id is not null or not ${hasText} then 1 end) as "withEmbeddings"
        from memories m left join embedded_memories e
          on e.user_id = m.user_id and e.memory_id = m.id
          and e.model_id = (select id from models where name = ${modelId}) ${isDone(needs)}
        where m.user_id = ${userId} and m.deleted_at is null`.execute(reader);
      return rows[0] ?? { total: 0, withEmbeddings: 0 };
    },

    async countPendingChunks(userId, modelId, needs = {}) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from chunks c
        join memories m on m.user_id = c.user_id and m.id = c.memory_id and m.deleted_at is null
        where c.user_id = ${userId} and not ${hasAll(modelId, needs)}`.execute(reader);
      return rows[0]?.count ?? 0;
    },

    async hasEmbeddings(userId, modelId, id, { withPassages = false } = {}) {
      const row = await reader
        .selectFrom('embedded_memories')
        .innerJoin('models', 'models.id', 'embedded_memories.model_id')
        .select('memory_id')
        .where('user_id', '=', userId)
        .where('models.name', '=', modelId)
        .where('memory_id', '=', id)
        .where('has_passages', '>=', withPassages ? 1 : 0)
        .executeTakeFirst();
      return row !== undefined;
    },

    async pendingChunks(userId, modelId, memories, needs = {}, skip = 0) {
      const key = JSON.stringify([userId, modelId, needs]);
      const from = firstPending.get(key) ?? '';
      let ids = await pendingMemories(userId, modelId, { from, limit: memories, needs });
      // Those before may have changed since.
      if (ids.length < memories && from !== '')
        ids = await pendingMemories(userId, modelId, { from: '', limit: memories, needs });
      if (ids[0] !== undefined) firstPending.set(key, ids[0]);
      return pendingChunksOf(userId, modelId, ids, needs, skip);
    },

    pendingChunksOf: (userId, modelId, id, needs = {}) => pendingChunksOf(userId, modelId, [id], needs),
  };
}
