import { type Expression, type SqlBool, sql } from 'kysely';

/** The condition that a text starts with a prefix, byte for byte. `like` is not used: SQLite's ignores case. */
export function startsWith(text: Expression<string>, prefix: string) {
  // SQL counts characters, JavaScript's length counts UTF-16 code units.
  return sql<SqlBool>`substr(${text}, 1, ${sql.lit([...prefix].length)}) = ${prefix}`;
}
