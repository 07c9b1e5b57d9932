import { type Kysely, sql } from 'kysely';

/**
 * The comments below pages, and their words. The column is the last one, so that reading the others skips it. The key
 * of a row in the index is the first chunk of the memory.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table memories add column comments text`.execute(db);
  await sql`create virtual table comment_text using fts5(
    scope, body,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  )`.execute(db);
}
