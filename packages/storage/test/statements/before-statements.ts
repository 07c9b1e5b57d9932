import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely';

/** Runs some work before a statement. */
export type BeforeStatement = (
  connection: DatabaseConnection,
  query: CompiledQuery,
  isInTransaction: boolean,
) => Promise<void>;

/** A Kysely dialect that runs some work on the connection before each statement. */
export function beforeStatements(dialect: Dialect, work: BeforeStatement): Dialect {
  return {
    createDriver: () => wrapDriver(dialect.createDriver(), work),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function wrapDriver(driver: Driver, work: BeforeStatement): Driver {
  const inner = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const inTransaction = new WeakSet<DatabaseConnection>();
  const innerOf = (connection: DatabaseConnection) => inner.get(connection) ?? connection;
  const leave = (connection: DatabaseConnection) => {
    inTransaction.delete(connection);
    return innerOf(connection);
  };
  return {
    init: (...more) => driver.init(...more),
    async acquireConnection(...more) {
      const connection = await driver.acquireConnection(...more);
      const outer: DatabaseConnection = {
        async executeQuery(query, ...rest) {
          await work(connection, query, inTransaction.has(outer));
          return connection.executeQuery(query, ...rest);
        },
        streamQuery: (...rest) => connection.streamQuery(...rest),
      };
      inner.set(outer, connection);
      return outer;
    },
    async beginTransaction(connection, settings) {
      await driver.beginTransaction(innerOf(connection), settings);
      inTransaction.add(connection);
    },
    commitTransaction: (connection) => driver.commitTransaction(leave(connection)),
    rollbackTransaction: (connection) => driver.rollbackTransaction(leave(connection)),
    releaseConnection: (connection) => driver.releaseConnection(innerOf(connection)),
    destroy: (...more) => driver.destroy(...more),
  };
}
