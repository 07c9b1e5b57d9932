import { parentPort, workerData } from 'node:worker_threads';
import type Sqlite from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import type { ConnectionOptions, OpenReply, StatementReply, StatementRequest, ThreadRequest } from './messages.js';
import { openDatabase } from './open-database.js';
import type { SqliteError } from './sqlite-error.js';
import { createStatements } from './statements.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;
const options = workerData as ConnectionOptions;

function serve(database: Sqlite.Database): void {
  const execute = createStatements(database);
  let lockTimeout: number | undefined;

  /** A request without its own lock timeout is part of a transaction and keeps the last one. */
  const setLockTimeout = (milliseconds: number | undefined) => {
    if (milliseconds === undefined || milliseconds === lockTimeout || options.readonly) return;
    database.pragma(`busy_timeout = ${milliseconds}`);
    lockTimeout = milliseconds;
  };

  const run = ({ id, sql, parameters, lockTimeout: given }: StatementRequest): StatementReply => {
    try {
      setLockTimeout(given);
      // After some errors, such as a full disk, SQLite has rolled back by itself.
      if (sql === 'rollback' && !database.inTransaction) return { id, rows: [], changes: 0, insertId: 0 };
      // A failed rollback leaves its transaction open.
      if (sql === 'begin immediate' && database.inTransaction) execute('rollback', []);
      return { id, ...execute(sql, parameters) };
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      return { id, error: { message, code: code ?? 'ERROR' } };
    }
  };

  port.on('message', (request: ThreadRequest) => {
    if ('id' in request) {
      port.postMessage(run(request));
      return;
    }
    if (request.optimizes) optimize(database);
    database.close();
    port.close();
  });
}

/** Saves the query planner's statistics. A failure is ignored: a full disk or another writer must not keep the thread alive. */
function optimize(database: Sqlite.Database): void {
  try {
    database.pragma('busy_timeout = 0');
    database.pragma('optimize');
  } catch {
    // The statistics stay as they were.
  }
}

let reply: OpenReply;
try {
  serve(openDatabase(options, sqliteVec.load));
  reply = { isOpen: true };
} catch (error) {
  const { message, code } = error as SqliteError;
  reply = { isOpen: false, error: { message, code } };
}
port.postMessage(reply);
if (!reply.isOpen) port.close();
