import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import type { ConnectionOptions, StatementReply, StatementRequest } from './messages.js';
import { applyPragmas } from './pragmas.js';
import { createStatements } from './statements.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;
const { path, readonly } = workerData as ConnectionOptions;
const database = new Sqlite(path, { readonly });
sqliteVec.load(database);
applyPragmas(database);

const execute = createStatements(database);

function run({ id, sql, parameters }: StatementRequest): StatementReply {
  try {
    return { id, ...execute(sql, parameters) };
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
