import type Sqlite from 'better-sqlite3';

export type Row = Readonly<Record<string, unknown>>;

/** Each statement is prepared once: a million of them would wait for the garbage collector. */
const prepared = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement>>();

function prepare(database: Sqlite.Database, sql: string): Sqlite.Statement {
  const statements = prepared.get(database) ?? new Map<string, Sqlite.Statement>();
  prepared.set(database, statements);
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}

/** Runs a read, and yields the rows before its failure. */
export function* readUntilDamage(
  database: Sqlite.Database,
  sql: string,
  ...parameters: unknown[]
): Generator<Row, void, undefined> {
  try {
    yield* prepare(database, sql).iterate(...parameters) as IterableIterator<Row>;
  } catch {
    // The rows behind the damage are read from the other end, or by their keys.
  }
}

/** How many reads in a row may fail before the rest is given up: a row number that was damaged may be any number. */
const MAX_FAILURES = 100_000;

/**
 * Reads rows by their numbers, from 1 on, and skips unreadable rows:
 * halves the rest of a range that fails until it is a single row.
 *
 * @param sql a statement with two parameters, the first and last row number, that reads the number as `id`
 */
export function* readAroundDamage(
  database: Sqlite.Database,
  sql: string,
  last: number,
): Generator<Row, void, undefined> {
  let failures = 0;
  const ranges: [number, number][] = [[1, last]];
  for (let range = ranges.pop(); range !== undefined && failures < MAX_FAILURES; range = ranges.pop()) {
    const [from, to] = range;
    let next = from;
    try {
      for (const row of prepare(database, sql).iterate(from, to) as IterableIterator<Row>) {
        next = Math.max(next, Number(row.id) + 1);
        yield row;
      }
    } catch {
      const middle = from + Math.floor((to - from) / 2);
      failures = next > from ? 0 : failures + 1;
      if (next > from) ranges.push([next, to]);
      else if (from < to) ranges.push([middle + 1, to], [from, middle]);
    }
  }
}

/** One row by its key; null if it cannot be read. */
export function readRow(database: Sqlite.Database, sql: string, ...parameters: unknown[]): Row | null {
  try {
    return (prepare(database, sql).get(...parameters) as Row | undefined) ?? null;
  } catch {
    return null;
  }
}

/** A saved search that was read from a damaged store. */
export interface SalvagedSearch {
  name: string;
  query: string;
}

/** The saved searches, from both ends of their table: one read usually reaches rows that the other cannot. */
export function readSavedSearches(database: Sqlite.Database): SalvagedSearch[] {
  const texts = new Map<string, string>();
  for (const order of ['asc', 'desc'])
    for (const { name, query } of readUntilDamage(
      database,
      `select name, query from saved_searches order by user_id ${order}, id ${order}`,
    ))
      if (typeof name === 'string' && typeof query === 'string' && !texts.has(name)) texts.set(name, query);
  return Array.from(texts, ([name, query]) => ({ name, query }));
}
