import type { Derived, DerivedFacts, Following } from '@recollect/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables, Trx } from '../../tables.js';
import {
  countsOfUser,
  misshapenVectors,
  missingMarks,
  orphanedComments,
  orphanedText,
  orphanedVectors,
  readDerivedFacts,
  wrongMarks,
  wrongMemoryCounts,
  wrongTags,
  wrongUserCounts,
} from './derived-facts.js';
import { writeMissingComments, writeMissingText } from './write-missing-text.js';

/** Rows per transaction, so that captures of a running server wait for milliseconds only. */
const BATCH = 500;

/** One batch of a repair, in its transaction. Returns how many rows it changed. */
type Batch = (trx: Trx) => Promise<number>;

/** Makes a derived part again, in batches until one has nothing to do. */
export async function repair(db: Kysely<Tables>, part: Derived, following: Following): Promise<void> {
  if (part === 'indexes') {
    await sql`reindex`.execute(db);
    return;
  }
  const facts = await readDerivedFacts(db);
  // Rows of a damaged index cannot be changed one by one.
  if (part === 'text' && facts.text.problems.length > 0) {
    await sql`insert into chunk_text (chunk_text) values ('delete-all')`.execute(db);
    await sql`insert into comment_text (comment_text) values ('delete-all')`.execute(db);
  }
  for (const batch of BATCHES[part]) await runBatches(db, batch, wholeOf(facts, part), following);
}

async function runBatches(db: Kysely<Tables>, batch: Batch, whole: number, { signal, onProgress }: Following) {
  let done = 0;
  let changed: number;
  do {
    if (signal?.aborted) return;
    changed = await db.transaction().execute(batch);
    done += changed;
    onProgress?.(Math.min(done, whole), whole);
  } while (changed > 0);
}

function wholeOf(facts: DerivedFacts, part: keyof DerivedFacts): number {
  const { text, vectors, marks, tags, counts: kept } = facts;
  const counts = {
    vectors: vectors.orphaned + vectors.misshapen,
    marks: marks.wrong + marks.missing,
    tags,
    counts: kept,
    sequence: 1,
  };
  return part === 'text' ? text.missing + text.orphaned : counts[part];
}

const changesOf = async (statement: ReturnType<typeof sql>, trx: Trx) =>
  Number((await statement.execute(trx)).numAffectedRows ?? 0);

const removeVectors =
  (source: RawBuilder<unknown>): Batch =>
  (trx) =>
    changesOf(
      sql`delete from embeddings where (user_id, model_id, chunk_id) in (
        select e.user_id, e.model_id, e.chunk_id ${source} limit ${BATCH})`,
      trx,
    );

const removeMarks: Batch = (trx) =>
  changesOf(
    sql`delete from embedded_memories where (user_id, model_id, memory_id) in (
      select k.user_id, k.model_id, k.memory_id ${wrongMarks} limit ${BATCH})`,
    trx,
  );

const BATCHES: Readonly<Record<keyof DerivedFacts, readonly Batch[]>> = {
  text: [
    (trx) => changesOf(sql`delete from chunk_text where rowid in (select d.id ${orphanedText} limit ${BATCH})`, trx),
    async (trx) => (await writeMissingText(trx, BATCH)).written,
    (trx) =>
      changesOf(sql`delete from comment_text where rowid in (select d.id ${orphanedComments} limit ${BATCH})`, trx),
    (trx) => writeMissingComments(trx, BATCH),
  ],
  // Memories that lose vectors count as embedded no longer, so the server queues them again.
  vectors: [removeVectors(orphanedVectors), removeVectors(misshapenVectors), removeMarks],
  marks: [
    removeMarks,
    (trx) =>
      changesOf(
        sql`insert into embedded_memories (user_id, model_id, memory_id, has_passages)
          select m.user_id, o.id, m.id, not exists (
            select 1 from chunks c where c.user_id = m.user_id and c.memory_id = m.id and not exists (
              select 1 from passage_vectors p
              where p.user_id = c.user_id and p.model_id = o.id and p.chunk_id = c.id))
          ${missingMarks} limit ${BATCH}`,
        trx,
      ),
  ],
  tags: [
    async (trx) => {
      const { rows } = await sql<{ user_id: string; id: string }>`
        select m.user_id, m.id ${wrongTags} limit ${BATCH}`.execute(trx);
      const keys = JSON.stringify(rows.map(({ user_id, id }) => [user_id, id]));
      const chosen = sql`select value ->> 0, value ->> 1 from json_each(${keys})`;
      await sql`delete from memory_tags where (user_id, memory_id) in (${chosen})`.execute(trx);
      await sql`insert into memory_tags (user_id, key, memory_id, tag)
        select m.user_id, tag_key(t.value), m.id, min(t.value) from memories m, json_each(m.tags) t
        where m.deleted_at is null and json_valid(m.tags) and tag_key(t.value) is not null
          and (m.user_id, m.id) in (${chosen})
        group by 1, 2, 3`.execute(trx);
      return rows.length;
    },
  ],
  counts: [
    (trx) =>
      changesOf(
        sql`update memories set
          chunk_count = (select count(*) from chunks c where c.user_id = memories.user_id and c.memory_id = memories.id),
          embedded_by = (select max(2 * k.model_id + k.has_passages) from embedded_memories k
            where k.user_id = memories.user_id and k.memory_id = memories.id)
          where (user_id, id) in (select m.user_id, m.id ${wrongMemoryCounts} limit ${BATCH})`,
        trx,
      ),
    (trx) =>
      changesOf(
        sql`replace into store_counts (user_id, memories, trash, chunks, highlights, pictures, picture_bytes, text_bytes,
          inbox, later)
          select u.user_id, ${countsOfUser} ${wrongUserCounts} limit ${BATCH}`,
        trx,
      ),
  ],
  sequence: [
    (trx) =>
      changesOf(
        sql`update sqlite_sequence set seq = (select max(sequence) from index_changes)
          where name = 'index_changes' and seq < (select max(sequence) from index_changes)`,
        trx,
      ),
  ],
};
