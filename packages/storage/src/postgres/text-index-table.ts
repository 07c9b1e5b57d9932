import { createForms } from '@recollect/core/threads';
import { sql } from 'kysely';
import type { TextIndexTable, TextKey, TextRow } from '../dialect.js';
import type { Trx } from '../tables.js';
import { type Lexemes, markOf, toLexemes } from './lexemes.js';

/** Writes the rows of `chunk_text` and `comment_text`. Words are made here, so that both databases have the same. */
export const textIndexTable: TextIndexTable = {
  async write(trx, rows) {
    if (rows.length === 0) return;
    const formOf = createForms();
    const written = rows.map((row) => ({ ...row, ...toLexemes(row, markOf(row.userId), formOf) }));
    for (const [userId, ofUser] of Map.groupBy(written, (row) => row.userId))
      await sql`insert into chunk_text (user_id, chunk_id, words, length, opening)
        select ${userId}, chunk_id, words::tsvector, length, opening from unnest(
          ${ofUser.map(({ chunkId }) => chunkId)}::bigint[], ${ofUser.map(({ words }) => words)}::text[],
          ${ofUser.map(({ length }) => length)}::integer[], ${ofUser.map(({ opening }) => opening)}::text[]
        ) as row (chunk_id, words, length, opening)`.execute(trx);
    const commented = rows.filter(({ comments }) => comments !== '');
    for (const row of commented)
      await writeComments(
        trx,
        row,
        toLexemes({ title: '', body: row.comments, notes: '' }, markOf(row.userId), formOf),
      );
  },

  async remove(trx, rows) {
    for (const [userId, chunkIds] of byUser(rows))
      for (const table of [sql`chunk_text`, sql`comment_text`])
        await sql`delete from ${table} where user_id = ${userId} and chunk_id = any(${chunkIds}::bigint[])`.execute(
          trx,
        );
  },

  async addWords(trx, userId, words) {
    if (words.length === 0) return;
    // Citus accepts no subquery beside a function that returns rows, so the conflict alone finds the stored words.
    await sql`insert into words (user_id, word) select ${userId}, word from unnest(${words}::text[]) as added (word)
      on conflict do nothing`.execute(trx);
  },
};

async function writeComments(trx: Trx, { userId, chunkId }: TextRow, { words, length }: Lexemes): Promise<void> {
  await sql`insert into comment_text (user_id, chunk_id, words, length)
    values (${userId}, ${chunkId}, ${words}::tsvector, ${length})`.execute(trx);
}

function byUser(rows: readonly TextKey[]): Map<string, number[]> {
  const users = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(Array.from(users, ([userId, ofUser]) => [userId, ofUser.map(({ chunkId }) => chunkId)]));
}
