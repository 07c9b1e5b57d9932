import { linkKeysIn } from '@recollect/core';
import { type Kysely, sql } from 'kysely';

/** Chunks that are read at a time. */
const BATCH = 500;

/** Adds the links of notes and files by the addresses of saved pages to the links by name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; userId: string; memoryId: string; text: string }>`
      select chunks.id, chunks.user_id as "userId", chunks.memory_id as "memoryId", chunks.text
        from chunks join memories on memories.user_id = chunks.user_id and memories.id = chunks.memory_id
        where chunks.id > ${last} and memories.url is null and instr(chunks.text, '://') > 0
        order by chunks.id limit ${BATCH}`.execute(db);
    for (const { id, userId, memoryId, text } of rows)
      for (const key of linkKeysIn(text, { url: null }))
        await sql`insert into note_links (chunk_id, name_key, user_id, memory_id)
          values (${id}, ${key}, ${userId}, ${memoryId}) on conflict do nothing`.execute(db);
    last = rows.at(-1)?.id ?? 0;
    if (rows.length < BATCH) return;
  }
}
