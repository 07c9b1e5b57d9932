import type { DerivedFacts } from '@recollect/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../tables.js';

/** Chunks of live memories, by their ids. */
export const liveChunk = sql`select 1 from chunks c join memories m
  on m.user_id = c.user_id and m.id = c.memory_id and m.deleted_at is null`;

/** Rows of the full-text index, which keeps the length of each row in a separate table. */
export const orphanedText = sql`from chunk_text_docsize d where not exists (${liveChunk} where c.id = d.id)`;
export const missingText = sql`from chunks c join memories m
  on m.user_id = c.user_id and m.id = c.memory_id and m.deleted_at is null
  where not exists (select 1 from chunk_text_docsize d where d.id = c.id)`;
/** The same for comments, whose rows have the ids of first chunks. */
export const orphanedComments = sql`from comment_text_docsize d where not exists (
  ${liveChunk} where c.id = d.id and c.position = 0 and m.comments is not null)`;
export const missingComments = sql`from memories m join chunks c
  on c.user_id = m.user_id and c.memory_id = m.id and c.position = 0
  where m.comments is not null and m.deleted_at is null and json_valid(m.comments)
    and not exists (select 1 from comment_text_docsize d where d.id = c.id)`;
export const orphanedVectors = sql`from embeddings e where not exists (${liveChunk} where c.id = e.chunk_id and c.user_id = e.user_id)`;
export const misshapenVectors = sql`from embeddings e join models o on o.id = e.model_id where length(e.vector) <> o.dimensions`;
/**
 * Marks of memories that are in the trash, or have a chunk without a vector, or without the passage vectors that they
 * name.
 */
export const wrongMarks = sql`from embedded_memories k where not exists (
    select 1 from memories m where m.user_id = k.user_id and m.id = k.memory_id and m.deleted_at is null)
  or exists (select 1 from chunks c where c.user_id = k.user_id and c.memory_id = k.memory_id and not exists (
    select 1 from embeddings e where e.user_id = c.user_id and e.model_id = k.model_id and e.chunk_id = c.id))
  or (k.has_passages = 1 and exists (
    select 1 from chunks c where c.user_id = k.user_id and c.memory_id = k.memory_id and not exists (
      select 1 from passage_vectors p
      where p.user_id = c.user_id and p.model_id = k.model_id and p.chunk_id = c.id)))`;
/** Memories all of whose chunks have vectors of a model, without a mark. */
export const missingMarks = sql`from memories m join models o where m.deleted_at is null
  and not exists (select 1 from embedded_memories k
    where k.user_id = m.user_id and k.memory_id = m.id and k.model_id = o.id)
  and exists (select 1 from chunks c where c.user_id = m.user_id and c.memory_id = m.id)
  and not exists (select 1 from chunks c where c.user_id = m.user_id and c.memory_id = m.id and not exists (
    select 1 from embeddings e where e.user_id = c.user_id and e.model_id = o.id and e.chunk_id = c.id))`;
/** Memories whose tags differ from their tag rows. */
export const wrongTags = sql`from memories m where (
    select coalesce(group_concat(key, char(10)), '') from (
      select t.key from memory_tags t where t.user_id = m.user_id and t.memory_id = m.id order by t.key))
  <> case when m.deleted_at is not null or not json_valid(m.tags) then '' else (
    select coalesce(group_concat(key, char(10)), '') from (
      select distinct tag_key(value) as key from json_each(m.tags) order by 1)) end`;

/** Memories with another number of chunks, or with the mark of another model, than they have. */
export const wrongMemoryCounts = sql`from memories m where
  m.chunk_count <> (select count(*) from chunks c where c.user_id = m.user_id and c.memory_id = m.id)
  or (m.embedded_by is null) = exists (
    select 1 from embedded_memories k where k.user_id = m.user_id and k.memory_id = m.id
      and (m.embedded_by is null or m.embedded_by = 2 * k.model_id + k.has_passages))`;
/** The contents of a user \`u\`. */
export const countsOfUser = sql`
  (select count(*) from memories m where m.user_id = u.user_id and m.deleted_at is null),
  (select count(*) from memories m where m.user_id = u.user_id and m.deleted_at is not null),
  (select count(*) from chunks c where c.user_id = u.user_id),
  (select count(*) from highlights h where h.user_id = u.user_id),
  (select count(*) from pictures p where p.user_id = u.user_id),
  (select coalesce(sum(length(p.bytes)), 0) from pictures p where p.user_id = u.user_id),
  (select coalesce(sum(octet_length(c.text)), 0) from chunks c where c.user_id = u.user_id),
  (select count(*) from memories m where m.user_id = u.user_id and m.deleted_at is null and m.place = 'inbox'),
  (select count(*) from memories m where m.user_id = u.user_id and m.deleted_at is null and m.place = 'later')`;
/** Users of whom something else is kept. */
export const wrongUserCounts = sql`from (select distinct user_id from memories union select user_id from store_counts) u
  left join store_counts s on s.user_id = u.user_id
  where (s.memories, s.trash, s.chunks, s.highlights, s.pictures, s.picture_bytes, s.text_bytes, s.inbox, s.later)
    is not (select ${countsOfUser})`;

/** Compares the derived tables with the memories. */
export async function readDerivedFacts(db: Kysely<Tables>): Promise<DerivedFacts> {
  const count = async (source: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count ${source}`.execute(db);
    return rows[0]?.count ?? 0;
  };
  const check = async (table: string) => {
    const checked = await sql<{ integrity_check: string }>`pragma integrity_check(${sql.id(table)})`.execute(db);
    return checked.rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  };
  const { rows: numbers } = await sql<{ newest: number; last: number }>`select
    (select coalesce(max(sequence), 0) from index_changes) as newest,
    (select coalesce(max(seq), 0) from sqlite_sequence where name = 'index_changes') as last`.execute(db);
  return {
    text: {
      missing: (await count(missingText)) + (await count(missingComments)),
      orphaned: (await count(orphanedText)) + (await count(orphanedComments)),
      problems: [...(await check('chunk_text')), ...(await check('comment_text'))],
    },
    vectors: { orphaned: await count(orphanedVectors), misshapen: await count(misshapenVectors) },
    marks: { wrong: await count(wrongMarks), missing: await count(missingMarks) },
    tags: await count(wrongTags),
    counts: (await count(wrongMemoryCounts)) + (await count(wrongUserCounts)),
    sequence: numbers[0] ?? { newest: 0, last: 0 },
  };
}
