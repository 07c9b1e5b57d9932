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
