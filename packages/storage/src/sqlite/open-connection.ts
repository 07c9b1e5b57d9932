import type { StatementRunner } from './connection.js';
import { openLocalConnection } from './local-connection.js';
import type { ConnectionOptions } from './messages.js';
import { openThreadConnection } from './thread-connection.js';

/** Opens a connection in its own thread, or on the calling thread where the store has no threads. */
export async function openConnection(options: ConnectionOptions, hasThreads: boolean): Promise<StatementRunner> {
  return hasThreads ? openThreadConnection(options) : openLocalConnection(options);
}
