import { type SqlBool, sql } from 'kysely';
import type { SqlDialect } from '../dialect.js';

/** PostgreSQL's forms. The database's clock times leases, because processes on several machines may share it. */
export const postgresSql: SqlDialect = {
  isIn(column, values) {
    if (values.length === 0) return sql<SqlBool>`false`;
    const type = typeof values[0] === 'number' ? sql`bigint[]` : sql`text[]`;
    return sql<SqlBool>`${sql.ref(column)} = any(${values}::${type})`;
  },
  changeNumbers: 'user',
  utf16Length: (text) => {
    // A character outside the basic plane takes two units, and four bytes in UTF-8.
    const astral = sql`regexp_replace(${text}, '[\\x01-\\uffff]', '', 'g')`;
    return sql<number>`(length(${text}) + length(${astral}))`;
  },
  clock: (after = 0) =>
    sql<number>`(floor(extract(epoch from statement_timestamp()) * 1000)::bigint + ${after}::bigint)`,
};
