/** Equal errors of the server: what failed, how, and how often. It holds names and codes only, nothing that a user wrote (SEC-15). */
export interface LoggedError {
  /** The id of an operation, or the name of background work. */
  operation: string;
  /** The code of the problem; `INTERNAL` for an unexpected error. */
  code: string;
  /** The names and codes of the error and its causes, the outermost first. */
  cause: string;
  count: number;
  /** ISO 8601. */
  firstAt: string;
  lastAt: string;
  /** The id of the last request that failed. Null for background work. */
  requestId: string | null;
  /** The innermost frames of the last one: function, package, file and line. */
  frames: readonly string[];
}

/** Keeps the last errors of the server. */
export interface ErrorLog {
  /** Adds errors. Counts errors with the same operation, code and cause together. Keeps the `kept` newest. */
  add(errors: readonly LoggedError[], kept: number): Promise<void>;
  /** The errors that occurred last, the newest first. */
  latest(limit: number): Promise<LoggedError[]>;
}
