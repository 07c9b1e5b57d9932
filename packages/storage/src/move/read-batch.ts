import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';
import type { MovedTable } from './moved-tables.js';
import type { Row } from './moving.js';

export type NamedTable = MovedTable & { name: keyof Tables };

/** Reads the rows that follow a row in the order of the table's key; the first ones after null. */
export async function readBatch(db: Kysely<Tables>, { name, key, batch }: NamedTable, after: Row | null) {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const following =
    after === null ? sql`` : sql`where (${columns}) > (${sql.join(key.map((column) => after[column]))})`;
  const { rows } = await sql<Row>`
    select * from ${sql.table(name)} ${following} order by ${columns} limit ${batch}`.execute(db);
  return rows;
}

/** Reads the row with the highest key. */
export async function readLast(db: Kysely<Tables>, { name, key }: NamedTable): Promise<Row | null> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const descending = sql.join(key.map((column) => sql`${sql.ref(column)} desc`));
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(name)} order by ${descending} limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Counts the rows of a table. */
export async function countRows(db: Kysely<Tables>, name: keyof Tables): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return rows[0]?.count ?? 0;
}
