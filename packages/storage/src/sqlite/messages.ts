/** One statement for a connection's thread. */
export interface StatementRequest {
  id: number;
  sql: string;
  parameters: readonly unknown[];
  /** Milliseconds to wait for a lock that another process holds; the connection's own when missing. */
  patience: number | undefined;
}

/** Ends the thread. */
interface CloseRequest {
  /** Whether to keep what the query planner learnt, which is a write. */
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
  /** Keeps other processes and connections out, for which the WAL needs no index in a file. */
  isAlone?: boolean;
}
