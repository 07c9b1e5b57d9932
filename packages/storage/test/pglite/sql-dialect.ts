import type { SqlDialect } from '@recollect/storage';
import { sql } from 'kysely';

/** PostgreSQL's forms. The database's clock times leases, because processes on several machines may share it. */
export const pgliteSql: SqlDialect = {
  list: {
    texts: (values) =>
      sql<string>`(select value from jsonb_array_elements_text(${JSON.stringify(values)}::jsonb) as list (value))`,
    numbers: (values) =>
      sql<number>`(select value::bigint from jsonb_array_elements_text(${JSON.stringify(values)}::jsonb) as list (value))`,
  },
  utf16Length: (text) => {
    // A character outside the basic plane takes two units, and four bytes in UTF-8.
    const astral = sql`regexp_replace(${text}, '[\\x01-\\uffff]', '', 'g')`;
    return sql<number>`(length(${text}) + length(${astral}))`;
  },
  clock: (after = 0) => sql<number>`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint + ${after}::bigint)`,
};
