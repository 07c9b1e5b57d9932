import type { Actor, BodyOf, OperationId, ParametersOf, QueryOf, ResponseOf } from '@recollect/contract';

/** A call of an operation, over HTTP or from a command. Its input matches the operation's schemas. */
export interface OperationCall<Id extends OperationId> {
  userId: string;
  /** The caller, for the history of changed memories. */
  actor: Actor;
  body: BodyOf<Id>;
  query: QueryOf<Id>;
  parameters: ParametersOf<Id>;
  /** The headers of the operation, by their names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  reply: Reply;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
}

/** The parts of a response besides its body. */
export interface Reply {
  /** Sets a status other than the operation's first one. */
  code(status: number): unknown;
  header(name: string, value: string): unknown;
}

export type OperationHandler<Id extends OperationId> = (call: OperationCall<Id>) => Promise<ResponseOf<Id>>;

export type OperationHandlers<Id extends OperationId> = { [Each in Id]: OperationHandler<Each> };
