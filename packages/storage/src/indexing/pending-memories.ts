import type { EmbeddingNeeds } from '@recollect/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** Selects memories that a model has not embedded. */
export interface Wanted {
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
export async function countPending(db: Kysely<Tables>, wanted: Wanted): Promise<{ total: number; pending: number }> {
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
  const isDone = sql`exists (select 1 from embedded_memories e where e.user_id = m.user_id and e.memory_id = m.id
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
