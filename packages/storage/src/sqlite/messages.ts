import type { Statement } from '../compile-once.js';
import type { Procedures } from './procedures/procedures.js';
import type { VectorLane } from './procedures/search-memory-vectors.js';
import type { TextLane } from './texts/text-memory.js';
import type { Interruption } from './work-limit.js';

/** One statement for a connection's thread. */
export interface StatementRequest extends Statement {
  id: number;
  /** Milliseconds to wait for a lock that another process holds; the connection's own when missing. */
  lockTimeout: number | undefined;
  /** Statements to run first, of which no results are wanted. */
  before: readonly Statement[];
}

/** Work of several statements. */
export interface ProcedureRequest {
  id: number;
  procedure: keyof Procedures;
  args: readonly unknown[];
  /** Milliseconds of processor time; no limit if missing. */
  budget: number | undefined;
}

/** Ends the thread. */
type CloseRequest = 'close';

export type ThreadRequest = StatementRequest | ProcedureRequest | CloseRequest;

interface ThreadError {
  message: string;
  code: string;
}

export type ThreadReply =
  | { id: number; rows: unknown[]; changes: number; insertId: number }
  | { id: number; returned: unknown }
  | { id: number; error: ThreadError };

/** The first message of a thread that was allowed to open its file: whether it could. */
export type OpenReply = { isOpen: true } | { isOpen: false; error: ThreadError };

export interface ConnectionOptions {
  /** A file's path, or `:memory:`. */
  path: string;
  readonly: boolean;
  /** Memory for pages; 64 MB by default. */
  cacheMb?: number | undefined;
  /** Milliseconds to wait for a lock where a statement does not say; 5,000 by default. */
  busyTimeout?: number;
  /** Locks out other processes and connections. The WAL then needs no index file. */
  isExclusive?: boolean;
  /** The vectors in memory, for a connection that searches them. */
  vectors?: VectorLane;
  /** The text index in memory, for the same. */
  texts?: TextLane;
  /** Where a thread looks for the number of the request whose caller went away. */
  interruption?: Interruption;
  /** Reads the rest of a damaged file: SQLite otherwise refuses a truncated file. */
  isDamaged?: boolean;
}
