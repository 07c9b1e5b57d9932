import type Sqlite from 'better-sqlite3';

/** Prepared statements to keep. Queries pass lists as one JSON parameter, so there are few different statements. */
const MAX_PREPARED = 300;

export interface Outcome {
  rows: unknown[];
  changes: number;
  insertId: number;
}

/** Runs statements on a connection, and caches those used most recently as prepared statements. */
export function createStatements(database: Sqlite.Database): (sql: string, parameters: readonly unknown[]) => Outcome {
  const prepared = new Map<string, Sqlite.Statement>();

  const prepare = (sql: string): Sqlite.Statement => {
    const cached = prepared.get(sql);
    if (cached !== undefined) {
      prepared.delete(sql);
      prepared.set(sql, cached);
      return cached;
    }
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    const oldest = prepared.keys().next().value;
    if (prepared.size > MAX_PREPARED && oldest !== undefined) prepared.delete(oldest);
    return statement;
  };

  return (sql, parameters) => {
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0, insertId: 0 };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], changes, insertId: Number(lastInsertRowid) };
  };
}
