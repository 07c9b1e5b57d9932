import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { ConnectionOptions, StatementReply, StatementRequest } from './messages.js';

/** An error of SQLite, with its code such as `SQLITE_BUSY`. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export interface ThreadConnection extends DatabaseConnection {
  run(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<unknown>>;
  close(): Promise<void>;
}

/**
 * Opens a connection in a thread of its own: SQLite's calls are synchronous and its busy handler sleeps, and neither
 * may hold up the event loop. Statements run one after another. Must be closed.
 */
export async function openConnection(options: ConnectionOptions): Promise<ThreadConnection> {
  const worker = new Worker(new URL('./connection-thread.js', import.meta.url), { workerData: options });
  const waiting = new Map<number, { resolve: (reply: QueryResult<unknown>) => void; reject: (error: Error) => void }>();
  let nextId = 0;
  let failure: Error | null = null;

  // Rejects when the thread fails before it is ready.
  await once(worker, 'message');

  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new SqliteError('The connection is closed.', 'CLOSED')));
  worker.on('message', (reply: StatementReply) => {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) caller?.reject(new SqliteError(reply.error.message, reply.error.code));
    else
      caller?.resolve({ rows: reply.rows, numAffectedRows: BigInt(reply.changes), insertId: BigInt(reply.insertId) });
  });

  const run = (sql: string, parameters: readonly unknown[] = []) =>
    new Promise<QueryResult<unknown>>((resolve, reject) => {
      if (failure !== null) return reject(failure);
      const request: StatementRequest = { id: nextId++, sql, parameters };
      waiting.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });

  return {
    run,
    executeQuery: async <R>({ sql, parameters }: CompiledQuery) => (await run(sql, parameters)) as QueryResult<R>,
    async *streamQuery() {
      yield* [];
      throw new Error('Rows are read at once; streaming is not supported.');
    },
    async close() {
      if (failure !== null) return;
      const exited = once(worker, 'exit');
      worker.postMessage('close');
      await exited;
    },
  };
}
