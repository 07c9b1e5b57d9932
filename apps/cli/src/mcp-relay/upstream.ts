import type { McpAnswer, McpMessage } from '@recollect/contract';

/** Where the messages of a client are answered. */
export interface Upstream {
  /** Answers a message; null for a notification and for a cancelled call. Throws once the upstream has ended. */
  answer(message: McpMessage): Promise<McpAnswer | null>;
  /** Whether there is nothing better. */
  isCurrent(): Promise<boolean>;
  /** Resolves when it has ended, with an exit code: 0 unless something was wrong. */
  ended: Promise<number>;
  /** Ends it, once it has answered what it was asked. */
  close(): Promise<void>;
}

/** Whether an answer can name a message by this: nothing has checked it. */
export function isRequestId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}
