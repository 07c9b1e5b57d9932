import { type Kysely, sql } from 'kysely';

/**
 * The query planner's assumptions about the indexes of each table: their rows, and how many have the same first column,
 * the same first two, and so on. The key of a table without rowids has the table's name,
 * and a table without an index has its rows under ''.
 */
export type Statistics = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Adds statistics of indexes, which every migration that makes an index does for it. */
export async function addStatistics(db: Kysely<unknown>, statistics: Statistics): Promise<void> {
  for (const [table, indexes] of Object.entries(statistics))
    for (const [index, numbers] of Object.entries(indexes)) {
      const name = index === '' ? null : index;
      await sql`delete from sqlite_stat1 where tbl = ${table} and idx is ${name}`.execute(db);
      await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${name}, ${numbers})`.execute(db);
    }
  // Makes this connection read them.
  await sql`analyze sqlite_schema`.execute(db);
}
