import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SqlDialect } from '../dialect.js';
import { clockOf, machineTicks } from '../time/store-time.js';

/** SQLite's forms. The machine's clock times leases, because all processes of a store in a file run on one machine. */
export const sqliteSql: SqlDialect = {
  isIn: (column, values) => sql<SqlBool>`${sql.ref(column)} in ${valuesOf(values)}`,
  // One transaction writes at a time, so that commits are in the order of one sequence.
  changeNumbers: 'store',
  utf16Length: (text) => sql<number>`utf16_length(${text})`,
  clock: clockOf(machineTicks),
};

/** A list as the rows of a subquery. */
export function valuesOf(values: readonly unknown[]): RawBuilder<unknown> {
  return sql`(select value from json_each(${JSON.stringify(values)}))`;
}
