import { type Kysely, sql } from 'kysely';
import type { Tables, Trx } from '../../tables.js';
import { writeMissingText } from '../doctor/write-missing-text.js';

/** Chunks that are read at a time. */
const BATCH = 1_000;

/** Writes the text index again: it now has other spellings of words, and emoji. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`insert into chunk_text (chunk_text) values ('delete-all')`.execute(db);
  // The migrator runs every migration in a transaction.
  const trx = db as Trx;
  let batch = { written: 0, last: 0 };
  do batch = await writeMissingText(trx, BATCH, batch.last);
  while (batch.written > 0);
}
