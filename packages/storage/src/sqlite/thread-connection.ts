import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { QueryResult } from 'kysely';
import type { StatementRunner } from './connection.js';
import type { ConnectionOptions, OpenReply, StatementReply, ThreadRequest } from './messages.js';
import { SqliteError } from './sqlite-error.js';

export interface ThreadConnection extends StatementRunner {
  /** @param options.optimizes saves the query planner's statistics, for a writer whose store is not damaged */
  close(options?: { optimizes: boolean }): Promise<void>;
}

/**
 * Opens a connection in its own thread: SQLite's calls are synchronous and its busy handler sleeps, and neither may block the
 * event loop. Statements run one after another. The caller must close it. Throws a {@link SqliteError}, whose code is the
 * system's (such as `EMFILE`) if that is why the file does not open; the thread has then ended.
 */
export async function openThreadConnection(options: ConnectionOptions): Promise<ThreadConnection> {
  const worker = new Worker(new URL('./connection-thread.js', import.meta.url), { workerData: options });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const waiting = new Map<number, { resolve: (reply: QueryResult<unknown>) => void; reject: (error: Error) => void }>();
  let nextId = 0;
  let failure: Error | null = null;

  const opened = await firstReply(worker);
  if (!opened.isOpen) {
    await exited;
    throw new SqliteError(opened.error.message, opened.error.code);
  }

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

  const post = (request: ThreadRequest) => worker.postMessage(request);
  return {
    run: (sql, parameters = [], lockTimeout) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        post({ id, sql, parameters, lockTimeout });
      }),
    async close({ optimizes } = { optimizes: false }) {
      if (failure === null) post({ optimizes });
      await exited;
    },
  };
}

/** The thread's first message. A thread that ends without one could not be started. */
async function firstReply(worker: Worker): Promise<OpenReply> {
  const ended = new AbortController();
  worker.once('exit', () => ended.abort());
  try {
    const [reply] = await once(worker, 'message', { signal: ended.signal });
    return reply as OpenReply;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { isOpen: false, error: { message, code: code ?? 'ERROR' } };
  }
}
