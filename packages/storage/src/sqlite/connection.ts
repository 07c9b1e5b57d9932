import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

/** Runs statements one after another. */
export interface StatementRunner {
  /**
   * @param patience milliseconds to wait for a lock that another process holds; the connection's own when missing
   */
  run(sql: string, parameters?: readonly unknown[], patience?: number): Promise<QueryResult<unknown>>;
  close(): Promise<void>;
}

/** A runner that Kysely can use. */
export interface Connection extends DatabaseConnection, StatementRunner {
  /** When the current caller requested the connection, by `performance.now()`; null while it is free. */
  askedAt: number | null;
}

/** Milliseconds that a caller waits for the write lock, counted from its request for the connection. */
const PATIENCE = 10_000;
/** The shortest wait of a statement, for callers that queued behind one that did not get the lock. */
const LEAST = 100;
/** Patience is rounded to steps, because each change of it is a separate statement. */
const STEP = 500;

/** Makes a runner usable by Kysely. Statements outside of transactions wait for locks as long as their caller may. */
export function toConnection({ run, close }: StatementRunner): Connection {
  const connection: Connection = {
    askedAt: null,
    run,
    close,
    executeQuery: async <R>({ sql, parameters }: CompiledQuery) =>
      (await run(sql, parameters, patienceOf(connection))) as QueryResult<R>,
    async *streamQuery() {
      yield* [];
      throw new Error('Streaming is not supported.');
    },
  };
  return connection;
}

/** How long the caller of a connection may still wait for a lock, in milliseconds. */
export function patienceOf({ askedAt }: Connection): number {
  const waited = askedAt === null ? 0 : performance.now() - askedAt;
  return Math.max(LEAST, Math.round((PATIENCE - waited) / STEP) * STEP);
}
