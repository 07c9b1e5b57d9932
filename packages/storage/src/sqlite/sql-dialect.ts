import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../dialect.js';
import { clockOf, machineTicks } from '../time/store-time.js';

/** SQLite's forms. The machine's clock times leases, because all processes of a store in a file run on one machine. */
export const sqliteSql: SqlDialect = {
  list: { texts: valuesOf, numbers: valuesOf },
  utf16Length: (text) => sql<number>`utf16_length(${text})`,
  clock: clockOf(machineTicks),
};

function valuesOf<Value>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`(select value from json_each(${JSON.stringify(values)}))`;
}
