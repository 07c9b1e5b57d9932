import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type Connection, patienceOf } from './connection.js';

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
export function createDialect(connections: readonly Connection[]): Dialect {
  return {
    createDriver: () => createDriver(connections),
    createAdapter: () => new ThreadedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(connections: readonly Connection[]): Driver {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  const own = (connection: DatabaseConnection) => connection as Connection;

  return {
    async init() {},
    async acquireConnection() {
      const askedAt = performance.now();
      const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
      connection.askedAt = askedAt;
      return connection;
    },
    async releaseConnection(connection) {
      own(connection).askedAt = null;
      const next = waiting.shift();
      if (next === undefined) free.push(own(connection));
      else next(own(connection));
    },
    /**
     * A deferred transaction that turns into a writing one fails at once when another process has written, whatever the
     * time-out, so the lock is taken at the start.
     */
    async beginTransaction(connection) {
      await own(connection).run('begin immediate', [], patienceOf(own(connection)));
    },
    async commitTransaction(connection) {
      await own(connection).run('commit');
    },
    async rollbackTransaction(connection) {
      // What made it necessary is what has to be reported; the next transaction rolls back what is left of this one.
      await own(connection)
        .run('rollback')
        .catch(() => {});
    },
    // The connections belong to whoever opened them.
    async destroy() {},
  };
}
