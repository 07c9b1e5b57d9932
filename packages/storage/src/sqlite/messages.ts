/** One statement for a connection's thread. */
export interface StatementRequest {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

export type StatementReply =
  | { id: number; rows: unknown[]; changes: number; insertId: number }
  | { id: number; error: { message: string; code: string } };

export interface ConnectionOptions {
  /** A file's path, or `:memory:`. */
  path: string;
  readonly: boolean;
}
