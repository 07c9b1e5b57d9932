import type { SqlDialect } from '@recollect/storage';
import { sql } from 'kysely';

/** PostgreSQL's forms. The database's clock times leases, because processes on several machines may share it. */
export const pgliteSql: SqlDialect = {
  list<Value extends string | number>(values: readonly Value[]) {
    const json = JSON.stringify(values);
    return typeof values[0] === 'number'
      ? sql<Value>`(select value::bigint from jsonb_array_elements_text(${json}::jsonb) as list (value))`
      : sql<Value>`(select value from jsonb_array_elements_text(${json}::jsonb) as list (value))`;
  },
  clock: (after = 0) => sql<number>`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint + ${after}::bigint)`,
};
