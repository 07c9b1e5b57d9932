import { type Connection, toConnection } from './connection.js';
import { openDatabase } from './open-database.js';
import { SqliteError } from './sqlite-error.js';
import { createStatements } from './statements.js';

/** Milliseconds that a read may wait for a lock. Readers of a WAL only wait while it is being recovered. */
const LOCK_TIMEOUT = 250;

/**
 * Opens a read-only connection to an existing file on the calling thread. Its statements block the event loop, so use it only
 * to read a row or two by an index. The caller must close it.
 */
export function openLocalConnection(path: string): Connection {
  const database = openDatabase({ path, readonly: true }, (opened) => opened.pragma(`busy_timeout = ${LOCK_TIMEOUT}`));
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
