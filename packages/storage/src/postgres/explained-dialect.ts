import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { explainFault, unlessUnknown } from './explain-fault.js';

/** A Kysely dialect whose statements fail with errors that say what to do. */
export function explained(dialect: Dialect, explain: (error: unknown) => unknown = explainFault): Dialect {
  return {
    createDriver: () => explainedDriver(dialect.createDriver(), explain),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function explainedDriver(driver: Driver, explain: (error: unknown) => unknown): Driver {
  const explaining = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw explain(error);
    });
  const wrapped = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const own = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const ownOf = (connection: DatabaseConnection) => own.get(connection) ?? connection;

  const wrap = (connection: DatabaseConnection): DatabaseConnection => {
    const known = wrapped.get(connection);
    if (known !== undefined) return known;
    const wrapper: DatabaseConnection = {
      executeQuery: (query, ...more) => explaining(connection.executeQuery(query, ...more)),
      streamQuery: (query, ...more) => connection.streamQuery(query, ...more),
    };
    wrapped.set(connection, wrapper);
    own.set(wrapper, connection);
    return wrapper;
  };

  return {
    init: (...more) => driver.init(...more),
    acquireConnection: async (...more) => wrap(await explaining(driver.acquireConnection(...more))),
    beginTransaction: (connection, settings) => explaining(driver.beginTransaction(ownOf(connection), settings)),
    commitTransaction: (connection) =>
      explaining(
        driver.commitTransaction(ownOf(connection)).catch((error: unknown) => {
          throw unlessUnknown(error);
        }),
      ),
    // A connection that cannot roll back is discarded, and the server rolls back. The caller gets the first error.
    rollbackTransaction: (connection) => driver.rollbackTransaction(ownOf(connection)).catch(() => {}),
    releaseConnection: (connection) => driver.releaseConnection(ownOf(connection)),
    destroy: (...more) => driver.destroy(...more),
  };
}
