import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver } from 'kysely';
import { actingUser } from '../acting-user.js';
import { endNever } from './limit-search.js';

/**
 * A Kysely dialect whose connections name the acting user to the policies of row-level security. The name is sent ahead
 * of the first statement if the connection was used for another user, and nothing waits for the answer.
 */
export function withUserSetting(dialect: Dialect): Dialect {
  return {
    createDriver: () => settingDriver(dialect.createDriver()),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function settingDriver(driver: Driver): Driver {
  const users = new WeakMap<DatabaseConnection, string>();
  return {
    init: (...more) => driver.init(...more),
    async acquireConnection(...more) {
      const connection = await driver.acquireConnection(...more);
      const userId = actingUser();
      if (users.get(connection) !== userId) {
        users.set(connection, userId);
        const setting = CompiledQuery.raw("select set_config('recollect.user', $1, false)", [userId]);
        endNever(() => connection.executeQuery(setting))
          // The statement that follows fails as well.
          .catch(() => users.delete(connection));
      }
      return connection;
    },
    beginTransaction: (...more) => driver.beginTransaction(...more),
    commitTransaction: (...more) => driver.commitTransaction(...more),
    rollbackTransaction: (...more) => driver.rollbackTransaction(...more),
    releaseConnection: (...more) => driver.releaseConnection(...more),
    destroy: (...more) => driver.destroy(...more),
  };
}
