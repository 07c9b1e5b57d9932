import Sqlite from 'better-sqlite3';
import type { QueryResult } from 'kysely';
import type { ThreadConnection } from './connection.js';
import { applyPragmas } from './pragmas.js';
import { createStatements } from './statements.js';

/** Milliseconds that a read may wait for a lock. Readers of a WAL only meet one while it is being recovered. */
const PATIENCE = 250;

/**
 * Opens a connection on the calling thread, for reading alone, of a file that is there. Its statements hold up the event
 * loop, so it is for a row or two by an index. Must be closed.
 */
export function openLocalConnection(path: string): ThreadConnection {
  const database = new Sqlite(path, { readonly: true });
  applyPragmas(database);
  database.pragma(`busy_timeout = ${PATIENCE}`);
  const execute = createStatements(database);
  const run = async (sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<unknown>> => ({
    rows: execute(sql, parameters).rows,
  });
  return {
    run,
    executeQuery: async <R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
      (await run(sql, parameters)) as QueryResult<R>,
    async *streamQuery() {
      yield* [];
      throw new Error('Rows are read at once; streaming is not supported.');
    },
    async close() {
      database.close();
    },
  };
}
