import type { OperationId, ResponseOf } from '@recollect/contract';
import type { CallInput } from '@recollect/contract/client';
import type { CoreOperationId } from '@recollect/core';

/** Calls an operation. Throws RecollectError. */
export type CallOperation = <Id extends CoreOperationId>(
  id: Id,
  input: CallInput<Id & OperationId>,
) => Promise<ResponseOf<Id>>;

/** Where a command has its work done: by the running server of its store, or in this process. */
export interface Executor {
  call: CallOperation;
  /** Address of the server that does the work. Null: this process has opened the store. */
  server: string | null;
  /**
   * Sees to it that a change gets its embeddings. A server makes them in the background. Without one, this process
   * makes them now, since no one else would.
   */
  embed(options: EmbedOptions): Promise<void>;
  close(): Promise<void>;
}

export interface EmbedOptions {
  /** Prints nothing. */
  isQuiet: boolean;
  /** Whether to wait until nothing is left. */
  waits?: boolean | undefined;
}
