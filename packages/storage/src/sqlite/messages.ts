/** One statement for a connection's thread. */
export interface StatementRequest {
  id: number;
  sql: string;
  parameters: readonly unknown[];
  /** Milliseconds to wait for a lock that another process holds; the connection's own when missing. */
  lockTimeout: number | undefined;
}

/** Ends the thread. */
interface CloseRequest {
  /** Whether to save the query planner's statistics, which is a write. */
  optimizes: boolean;
}

export type ThreadRequest = StatementRequest | CloseRequest;

interface ThreadError {
  message: string;
  code: string;
}

export type StatementReply =
  | { id: number; rows: unknown[]; changes: number; insertId: number }
  | { id: number; error: ThreadError };

/** The first message of a thread: whether the file could be opened. */
export type OpenReply = { isOpen: true } | { isOpen: false; error: ThreadError };

export interface ConnectionOptions {
  /** A file's path, or `:memory:`. */
  path: string;
  readonly: boolean;
  /** Locks out other processes and connections. The WAL then needs no index file. */
  isExclusive?: boolean;
}
