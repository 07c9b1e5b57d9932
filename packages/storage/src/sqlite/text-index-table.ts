import { normaliseText } from '@recollect/core';
import { sql } from 'kysely';
import type { TextIndexTable, TextKey, TextRow } from '../dialect.js';
import { enqueue } from '../enqueue.js';
import type { Trx } from '../tables.js';
import { scopeOf } from './procedures/match.js';
import { sqliteSql, valuesOf } from './sql-dialect.js';

/** From this many rows on, writing them takes longer than a message to the connection's thread and its answer. */
const MIN_QUEUED_ROWS = 16;

/** Writes the rows of `chunk_text` and `comment_text`, whose text is stored as {@link normaliseText} returns it. */
export const textIndexTable: TextIndexTable = {
  async write(trx, rows) {
    const values = rows.map(({ chunkId, userId, title, body, notes }) => [
      chunkId,
      scopeOf(userId),
      normaliseText(title),
      normaliseText(body),
      normaliseText(notes),
    ]);
    const statement = sql`insert into chunk_text (rowid, scope, title, body, notes)
      select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
      from json_each(${JSON.stringify(values)})`;
    if (rows.length < MIN_QUEUED_ROWS) await enqueue(trx, statement);
    else await statement.execute(trx);
    await writeCommentText(trx, rows);
  },

  async remove(trx, rows) {
    await removeChunkText(trx, rows);
    const ids = rows.map(({ chunkId }) => chunkId);
    await sql`delete from comment_text where ${sqliteSql.isIn('rowid', ids)}`.execute(trx);
  },

  addWords: (trx, _userId, words) => addWords(trx, words),
};

/** Adds words of texts. They belong to all users: a search looks up whose texts have them. */
export async function addWords(trx: Trx, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  // Most words are known. Looking for them takes a quarter of the time of conflicts.
  const statement = sql`insert into words (word) select value from ${valuesOf(words)} as list
    where not exists (select 1 from words where word = value) on conflict do nothing`;
  await enqueue(trx, statement);
}

/** Removes the rows of chunks only, for migrations of stores that have no comments yet. */
export async function removeChunkText(trx: Trx, rows: readonly TextKey[]): Promise<void> {
  const ids = rows.map(({ chunkId }) => chunkId);
  await sql`delete from chunk_text where ${sqliteSql.isIn('rowid', ids)}`.execute(trx);
}

/** Writes the rows of `comment_text` only. */
export async function writeCommentText(trx: Trx, rows: readonly TextRow[]): Promise<void> {
  for (const { chunkId, userId, comments } of rows) {
    if (comments === '') continue;
    const statement = sql`insert into comment_text (rowid, scope, body)
      values (${chunkId}, ${scopeOf(userId)}, ${normaliseText(comments)})`;
    await enqueue(trx, statement);
  }
}
