import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type Connection, remainingLockTimeout } from './connection.js';
import type { Pool } from './pool.js';

/**
 * Kysely's adapter assumes one SQLite connection without transactional DDL. Here several connections read concurrently.
 * With transactional DDL a migration is all or nothing, and two processes that start at the same time take turns.
 */
class ThreadedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A Kysely dialect over a pool of open connections. Transactions take the write lock when they begin. */
export function createDialect(pool: Pool): Dialect {
  return {
    createDriver: () => createDriver(pool),
    createAdapter: () => new ThreadedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver({ acquire, release }: Pool): Driver {
  const own = (connection: DatabaseConnection) => connection as Connection;

  return {
    async init() {},
    acquireConnection: (options) => acquire(options?.signal),
    async releaseConnection(connection) {
      release(own(connection));
    },
    /**
     * Takes the lock at the start. A deferred transaction that begins to write fails immediately if another process has
     * written, regardless of the timeout.
     */
    async beginTransaction(connection) {
      await own(connection).run('begin immediate', [], remainingLockTimeout(own(connection)));
    },
    async commitTransaction(connection) {
      // A failure of these statements is not a failed commit, whose outcome may be unknown.
      const queued = own(connection).takeQueued();
      const last = queued.at(-1);
      if (last !== undefined) await own(connection).run(last.sql, last.parameters, undefined, queued.slice(0, -1));
      await own(connection).run('commit');
    },
    async rollbackTransaction(connection) {
      own(connection).takeQueued();
      // Report the error that caused the rollback. The next transaction rolls back the rest of this one.
      await own(connection)
        .run('rollback')
        .catch(() => {});
    },
    // The caller that opened the connections closes them.
    async destroy() {},
  };
}
