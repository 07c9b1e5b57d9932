import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import type { ConnectionOptions, StatementReply, StatementRequest } from './messages.js';
import { applyPragmas } from './pragmas.js';

/** Statements kept prepared. Queries carry lists as one JSON parameter, so that few different ones come by. */
const KEPT = 300;

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;
const { path, readonly } = workerData as ConnectionOptions;
const database = new Sqlite(path, { readonly });
sqliteVec.load(database);
applyPragmas(database);

const prepared = new Map<string, Sqlite.Statement>();

function prepare(sql: string): Sqlite.Statement {
  const known = prepared.get(sql);
  if (known !== undefined) {
    prepared.delete(sql);
    prepared.set(sql, known);
    return known;
  }
  const statement = database.prepare(sql);
  prepared.set(sql, statement);
  const oldest = prepared.keys().next().value;
  if (prepared.size > KEPT && oldest !== undefined) prepared.delete(oldest);
  return statement;
}

function run({ id, sql, parameters }: StatementRequest): StatementReply {
  try {
    const statement = prepare(sql);
    if (statement.reader) return { id, rows: statement.all(...parameters), changes: 0, insertId: 0 };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { id, rows: [], changes, insertId: Number(lastInsertRowid) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { id, error: { message, code: code ?? 'ERROR' } };
  }
}

port.on('message', (request: StatementRequest | 'close') => {
  if (request !== 'close') {
    port.postMessage(run(request));
    return;
  }
  if (!readonly && path !== ':memory:') {
    // What the planner learnt is kept, and a clean end leaves a small WAL behind.
    database.pragma('optimize');
  }
  database.close();
  port.close();
});
port.postMessage('ready');
