import { type Kysely, sql } from 'kysely';
import { findWords } from '../../indexing/find-words.js';
import type { Tables, Trx } from '../../tables.js';
import { addWords } from '../text-index-table.js';

/** Texts that are read at a time. */
const BATCH = 1_000;

/**
 * The different words of all texts, to which mistyped words of queries are corrected. No id is used twice, so that a
 * reader finds the words that were added since it last looked.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`create table words (id integer primary key autoincrement, word text not null unique)`.execute(db);
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; text: string; title: string; note: string | null }>`
      select c.id, c.text, iif(c.position = 0, m.title, '') as title, iif(c.position = 0, m.note, null) as note
      from chunks c join memories m on m.user_id = c.user_id and m.id = c.memory_id
      where m.deleted_at is null and c.id > ${last} order by c.id limit ${BATCH}`.execute(db);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    const words = findWords(
      rows.map(({ title }) => title),
      rows.flatMap(({ text, note }) => [text, note ?? '']),
    );
    // The migrator runs every migration in a transaction.
    await addWords(db as Trx, words);
  }
}
