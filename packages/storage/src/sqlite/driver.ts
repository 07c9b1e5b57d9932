import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { SqliteError, type ThreadConnection } from './connection.js';

/** How often the write lock is asked for; each time SQLite itself waits up to five seconds. */
const TRIES = 12;

/**
 * Kysely's adapter takes SQLite for one connection without transactional DDL. There are several here, which read at once;
 * and with DDL in transactions a migration is all or nothing, and two processes that start at once take turns.
 */
class ThreadedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A Kysely dialect over open connections. Transactions take the write lock at once. */
export function createDialect(connections: readonly ThreadConnection[]): Dialect {
  return {
    createDriver: () => createDriver(connections),
    createAdapter: () => new ThreadedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(connections: readonly ThreadConnection[]): Driver {
  const free = [...connections];
  const waiting: ((connection: ThreadConnection) => void)[] = [];
  const threadOf = (connection: DatabaseConnection) => connection as ThreadConnection;

  return {
    async init() {},
    async acquireConnection() {
      const connection = free.pop();
      return connection ?? new Promise((resolve) => waiting.push(resolve));
    },
    async releaseConnection(connection) {
      const next = waiting.shift();
      if (next === undefined) free.push(threadOf(connection));
      else next(threadOf(connection));
    },
    beginTransaction: (connection) => beginImmediate(threadOf(connection)),
    async commitTransaction(connection) {
      await threadOf(connection).run('commit');
    },
    async rollbackTransaction(connection) {
      await threadOf(connection).run('rollback');
    },
    // The connections belong to whoever opened them.
    async destroy() {},
  };
}

/**
 * A deferred transaction that turns into a writing one fails at once when somebody else has written, whatever the
 * time-out, so the lock is taken at the start.
 */
async function beginImmediate(connection: ThreadConnection): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await connection.run('begin immediate');
      return;
    } catch (error) {
      if (!(error instanceof SqliteError) || !error.code.startsWith('SQLITE_BUSY') || attempt === TRIES) throw error;
    }
  }
}
