import { type Connection, toConnection } from './connection.js';
import { openDatabase } from './open-database.js';
import { SqliteError } from './sqlite-error.js';
import { createStatements } from './statements.js';

/** Milliseconds that a read may wait for a lock. Readers of a WAL only meet one while it is being recovered. */
const PATIENCE = 250;

/**
 * Opens a connection on the calling thread, for reading alone, of a file that exists. Its statements hold up the event
 * loop, so it is for a row or two by an index. Must be closed.
 */
export function openLocalConnection(path: string): Connection {
  const database = openDatabase({ path, readonly: true }, (opened) => opened.pragma(`busy_timeout = ${PATIENCE}`));
  const execute = createStatements(database);
  return toConnection({
    async run(sql, parameters = []) {
      try {
        return { rows: execute(sql, parameters).rows };
      } catch (error) {
        const { message, code = 'ERROR' } = error as Error & { code?: string };
        throw new SqliteError(message, code);
      }
    },
    async close() {
      database.close();
    },
  });
}
