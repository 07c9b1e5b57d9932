import type { StatementRunner } from './connection.js';
import { openLocalConnection } from './local-connection.js';
import type { ConnectionOptions } from './messages.js';
import { openThreadConnection } from './thread-connection.js';
import type { VectorMemory } from './vectors/vector-memory.js';

/** Opens a connection in its own thread, or on the calling thread where the store has no threads. */
export async function openConnection(options: ConnectionOptions, hasThreads: boolean): Promise<StatementRunner> {
  return hasThreads ? openThreadConnection(options) : openLocalConnection(options);
}

/**
 * Opens so many readers, each in its own thread; or, if there are to be no threads, one on the calling thread.
 *
 * @param memory what the readers search vectors in
 */
export async function openReaders(
  threads: number,
  options: Omit<ConnectionOptions, 'readonly' | 'vectors'>,
  memory: VectorMemory | null = null,
): Promise<StatementRunner[]> {
  const opened = await Promise.allSettled(
    Array.from({ length: Math.max(1, threads) }, (_, lane) =>
      openConnection(
        { ...options, readonly: true, ...(memory === null ? {} : { vectors: { memory, lane } }) },
        threads > 0,
      ),
    ),
  );
  const readers = opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const outcome of opened) {
    if (outcome.status === 'fulfilled') continue;
    await Promise.allSettled(readers.map((reader) => reader.close()));
    throw outcome.reason;
  }
  return readers;
}
