import { type RawBuilder, sql } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { Tables, Trx } from '../tables.js';
import type { Row } from './moving.js';

/** Inserts whole rows. `before` is a clause between the columns and the values. */
export async function insertRows(
  trx: Trx,
  table: keyof Tables,
  rows: readonly Row[],
  before: RawBuilder<unknown> = sql``,
): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const columns = sql.join(names.map((name) => sql.ref(name)));
  for (const block of blocksOf(rows)) {
    const values = sql.join(block.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`));
    await sql`insert into ${sql.table(table)} (${columns}) ${before} values ${values}`.execute(trx);
  }
}
