import * as sqliteVec from 'sqlite-vec';
import type { Statement } from '../compile-once.js';
import type { ConnectionOptions, ProcedureRequest } from './messages.js';
import { openDatabase } from './open-database.js';
import { createProcedures, type Procedures } from './procedures/procedures.js';
import { createStatements, type Outcome } from './statements.js';
import { createWorkLimit } from './work-limit.js';

/** An open database on the calling thread, whose calls block it. */
export interface Session {
  /**
   * Runs the statements of `before`, then this statement. If one of them fails, throws its error and runs nothing else.
   *
   * @param lockTimeout milliseconds to wait for a lock; a statement without one is part of a transaction and keeps the
   * last
   */
  run(statement: Statement, lockTimeout: number | undefined, before: readonly Statement[]): Outcome;
  /**
   * Does work of several statements, within a budget.
   *
   * @param args the input of the procedure
   */
  call(
    procedure: keyof Procedures,
    args: readonly unknown[],
    request: Pick<ProcedureRequest, 'id' | 'budget'>,
  ): unknown;
  close(): void;
}

/** Opens a database with the extensions that the stores use. Throws like `openDatabase`. */
export function openSession(options: ConnectionOptions): Session {
  const database = openDatabase(options, sqliteVec.load);
  if (options.busyTimeout !== undefined) database.pragma(`busy_timeout = ${options.busyTimeout}`);
  const execute = createStatements(database);
  const limit = createWorkLimit(options.interruption ?? null);
  // For statements that may find very many rows.
  database.function('in_time', () => {
    limit.check();
    return 1;
  });
  let procedures: Procedures | undefined;
  let present: number | undefined;

  const setLockTimeout = (milliseconds: number | undefined) => {
    if (milliseconds === undefined || milliseconds === present || options.readonly) return;
    database.pragma(`busy_timeout = ${milliseconds}`);
    present = milliseconds;
  };

  return {
    run({ sql, parameters }, lockTimeout, before) {
      setLockTimeout(lockTimeout);
      for (const statement of before) execute(statement.sql, statement.parameters);
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (sql === 'rollback' && !database.inTransaction) return { rows: [], changes: 0, insertId: 0 };
      // A failed rollback leaves its transaction open.
      if (sql === 'begin immediate' && database.inTransaction) execute('rollback', []);
      return execute(sql, parameters);
    },
    call(procedure, args, request) {
      // Their statements need the tables, which a new store does not have yet.
      procedures ??= createProcedures(database, limit, options);
      const run = procedures[procedure] as (...args: readonly unknown[]) => unknown;
      return limit.within(request, () => run(...args));
    },
    close() {
      database.close();
    },
  };
}
