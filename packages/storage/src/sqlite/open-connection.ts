import type { StatementRunner } from './connection.js';
import { openLocalConnection } from './local-connection.js';
import type { ConnectionOptions } from './messages.js';
import { openThreadConnection } from './thread-connection.js';

/**
 * Opens a connection in its own thread, or on the calling thread where the store has no threads.
 *
 * @param mayOpen asked once the thread has started, just before it opens the file
 */
export async function openConnection(
  options: ConnectionOptions,
  hasThreads: boolean,
  mayOpen = () => true,
): Promise<StatementRunner> {
  return hasThreads ? openThreadConnection(options, mayOpen) : openLocalConnection(options);
}
