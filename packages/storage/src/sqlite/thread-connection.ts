import { Worker } from 'node:worker_threads';
import type { QueryResult } from 'kysely';
import { answerToOpen, firstMessage } from './ask-to-open.js';
import type { StatementRunner } from './connection.js';
import type { ConnectionOptions, OpenReply, ThreadReply, ThreadRequest } from './messages.js';
import { SqliteError } from './sqlite-error.js';
import { createInterruption } from './work-limit.js';

/** A thread only passes rows on. With the default of 48 MB it would collect its garbage too late. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/**
 * Opens a connection in its own thread: SQLite's calls are synchronous and its busy handler sleeps, and neither may
 * block the event loop. Statements run one after another. The caller must close it. Throws a {@link SqliteError}, whose
 * code is the system's (such as `EMFILE`) if that is why the file does not open; the thread has then ended.
 *
 * @param mayOpen called just before the file is opened; if it says no, this throws with the code `GONE`
 */
export async function openThreadConnection(options: ConnectionOptions, mayOpen = () => true): Promise<StatementRunner> {
  const interruption = createInterruption();
  const worker = new Worker(new URL('../bundle/connection-thread.cjs', import.meta.url), {
    workerData: { ...options, interruption } satisfies ConnectionOptions,
    resourceLimits: RESOURCE_LIMITS,
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const waiting = new Map<number, { resolve: (reply: ThreadReply) => void; reject: (error: Error) => void }>();
  let nextId = 0;
  let failure: Error | null = null;

  const opened = await open(worker, mayOpen);
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
  worker.on('message', (reply: ThreadReply) => {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) caller?.reject(new SqliteError(reply.error.message, reply.error.code));
    else caller?.resolve(reply);
  });

  const post = (request: ThreadRequest) => worker.postMessage(request);
  const ask = (requestOf: (id: number) => ThreadRequest) =>
    new Promise<ThreadReply>((resolve, reject) => {
      if (failure !== null) return reject(failure);
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      post(requestOf(id));
    });
  return {
    async run(sql, parameters = [], lockTimeout = undefined, before = []): Promise<QueryResult<unknown>> {
      const reply = await ask((id) => ({ id, sql, parameters, lockTimeout, before }));
      if (!('rows' in reply)) throw new Error('The thread returned no rows.');
      return { rows: reply.rows, numAffectedRows: BigInt(reply.changes), insertId: BigInt(reply.insertId) };
    },
    callWithin:
      ({ signal, budget }) =>
      async (procedure, ...args) => {
        let interrupt = () => {};
        const asked = ask((id) => {
          interrupt = () => void Atomics.store(interruption, 0, id);
          return { id, procedure, args, budget };
        });
        signal?.addEventListener('abort', interrupt, { once: true });
        try {
          const reply = await asked;
          return ('returned' in reply ? reply.returned : undefined) as never;
        } finally {
          signal?.removeEventListener('abort', interrupt);
        }
      },
    async close() {
      if (failure === null) post('close');
      await exited;
    },
  };
}

/** Lets the thread open its file. A thread that ends without a message could not be started. */
async function open(worker: Worker, mayOpen: () => boolean): Promise<OpenReply> {
  try {
    if (await answerToOpen(worker, mayOpen)) return (await firstMessage(worker)) as OpenReply;
    return { isOpen: false, error: { message: 'The file no longer belongs to the store.', code: 'GONE' } };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { isOpen: false, error: { message, code: code ?? 'ERROR' } };
  }
}
