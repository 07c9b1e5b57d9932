import { nameKeyOf } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { insertNoteLinks } from '../../memories/note-links.js';
import type { Trx } from '../../tables.js';
import { addStatistics } from '../planner-statistics.js';

/** Chunks that are read at a time. */
const BATCH = 500;

/** The links between notes, and the names of files by which links find them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table memories add column name_key text`.execute(db);
  await sql`create table note_links (
    chunk_id integer not null references chunks (id) on delete cascade,
    name_key text not null,
    user_id text not null,
    memory_id text not null,
    primary key (chunk_id, name_key)
  ) without rowid`.execute(db);
  await nameFiles(db);
  await readLinks(db as unknown as Trx);
  await sql`create index memories_by_name on memories (user_id, name_key, id)
    where name_key is not null and deleted_at is null`.execute(db);
  await sql`create index note_links_by_name on note_links (user_id, name_key, memory_id)`.execute(db);
  await addStatistics(db, {
    memories: { memories_by_name: '20000 20000 2 1' },
    note_links: { note_links: '20000 3 1', note_links_by_name: '20000 20000 3 1' },
  });
}

async function nameFiles(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ user_id: string; id: string; name: string }>`
    select user_id, id, metadata ->> '$.fileName' as name from memories
      where json_valid(metadata) and json_type(metadata, '$.fileName') = 'text'`.execute(db);
  for (const { user_id, id, name } of rows)
    await sql`update memories set name_key = ${nameKeyOf({ fileName: name })}
      where user_id = ${user_id} and id = ${id}`.execute(db);
}

async function readLinks(trx: Trx): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; userId: string; memoryId: string; text: string }>`
      select id, user_id as "userId", memory_id as "memoryId", text from chunks
        where id > ${last} and instr(text, '[[') > 0 order by id limit ${BATCH}`.execute(trx);
    // Addresses are added by a later migration.
    await insertNoteLinks(
      trx,
      rows.map((row) => ({ ...row, url: '' })),
    );
    last = rows.at(-1)?.id ?? 0;
    if (rows.length < BATCH) return;
  }
}
