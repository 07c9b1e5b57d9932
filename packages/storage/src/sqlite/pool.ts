import type { Connection } from './connection.js';
import type { CallProcedure } from './procedures/procedures.js';
import type { CallLimit } from './work-limit.js';

/** Connections that take turns. */
export interface Pool {
  /** Waits for a free connection. A caller whose signal aborts leaves the queue, and gets the signal's reason. */
  acquire(signal?: AbortSignal): Promise<Connection>;
  release(connection: Connection): void;
  /** Does work of several statements on the next free connection. */
  call: CallProcedure;
  /** The same within a limit. A caller whose signal aborts gets the signal's reason, and the work begun for it ends. */
  callWithin(limit: CallLimit): CallProcedure;
}

/**
 * @param openAnother opens one more connection, or gives null. It is called when a caller has to wait, again only after
 * it has
 *   answered, and must not reject
 */
export function createPool(
  connections: readonly Connection[],
  openAnother: () => Promise<Connection | null> = async () => null,
): Pool {
  const free = [...connections];
  let isOpening = false;
  /** The waiting callers, in the order of their arrival. */
  const waiting = new Set<(connection: Connection) => void>();

  const wait = (signal: AbortSignal | undefined) =>
    new Promise<Connection>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter);
        reject(signal?.reason);
      };
      const enter = (connection: Connection) => {
        signal?.removeEventListener('abort', leave);
        resolve(connection);
      };
      waiting.add(enter);
      grow();
      signal?.addEventListener('abort', leave, { once: true });
    });

  /** Gives one more connection to the first caller in the queue, who may have got a released one by then. */
  const grow = async () => {
    if (isOpening) return;
    isOpening = true;
    const connection = await openAnother();
    isOpening = false;
    if (connection !== null) release(connection);
  };

  const acquire = async (signal?: AbortSignal) => {
    signal?.throwIfAborted();
    const requestedAt = performance.now();
    const connection = free.pop() ?? (await wait(signal));
    connection.requestedAt = requestedAt;
    return connection;
  };
  const release = (connection: Connection) => {
    connection.requestedAt = null;
    const [next] = waiting;
    if (next === undefined) free.push(connection);
    else {
      waiting.delete(next);
      next(connection);
    }
  };

  const callWithin =
    (limit: CallLimit): CallProcedure =>
    async (name, ...args) => {
      const connection = await acquire(limit.signal);
      try {
        return await connection.callWithin(limit)(name, ...args);
      } catch (error) {
        limit.signal?.throwIfAborted();
        throw error;
      } finally {
        release(connection);
      }
    };

  return { acquire, release, call: callWithin({}), callWithin };
}
