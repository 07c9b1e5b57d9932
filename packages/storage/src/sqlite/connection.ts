import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Statement } from '../compile-once.js';
import { isQueued } from '../enqueue.js';
import type { CallProcedure } from './procedures/procedures.js';
import type { CallLimit } from './work-limit.js';

/** Runs statements one after another. */
export interface StatementRunner {
  /**
   * @param lockTimeout milliseconds to wait for a lock that another process holds; the connection's own when missing
   * @param before statements to run first. If one fails, this one is not run
   */
  run(
    sql: string,
    parameters?: readonly unknown[],
    lockTimeout?: number,
    before?: readonly Statement[],
  ): Promise<QueryResult<unknown>>;
  /** Does work of several statements in one turn, within a limit. */
  callWithin(limit: CallLimit): CallProcedure;
  close(): Promise<void>;
}

/** A runner that Kysely can use. */
export interface Connection extends DatabaseConnection, StatementRunner {
  /** When the current caller requested the connection, by `performance.now()`; null while it is free. */
  requestedAt: number | null;
  /** Takes the statements of the transaction that wait for the next one. */
  takeQueued(): readonly Statement[];
}

/** Milliseconds that a caller waits for the write lock, counted from its request for the connection. */
const LOCK_TIMEOUT = 10_000;
/** The shortest wait of a statement, for callers that queued behind one that did not get the lock. */
const MIN_LOCK_TIMEOUT = 100;
/** Patience is rounded to steps, because each change of it is a separate statement. */
const TIMEOUT_STEP_MS = 500;

/** Makes a runner usable by Kysely. Statements outside of transactions wait for locks as long as their caller may. */
export function toConnection({ run, callWithin, close }: StatementRunner): Connection {
  let queued: Statement[] = [];
  const takeQueued = () => {
    const batch = queued;
    queued = [];
    return batch;
  };
  const connection: Connection = {
    requestedAt: null,
    run,
    callWithin,
    close,
    takeQueued,
    async executeQuery<R>(query: CompiledQuery) {
      const { sql, parameters } = query;
      if (isQueued(query)) {
        queued.push({ sql, parameters });
        return { rows: [] };
      }
      return (await run(sql, parameters, remainingLockTimeout(connection), takeQueued())) as QueryResult<R>;
    },
    async *streamQuery() {
      yield* [];
      throw new Error('Streaming is not supported.');
    },
  };
  return connection;
}

/** How long the caller of a connection may still wait for a lock, in milliseconds. */
export function remainingLockTimeout({ requestedAt }: Connection): number {
  const waited = requestedAt === null ? 0 : performance.now() - requestedAt;
  return Math.max(MIN_LOCK_TIMEOUT, Math.round((LOCK_TIMEOUT - waited) / TIMEOUT_STEP_MS) * TIMEOUT_STEP_MS);
}
