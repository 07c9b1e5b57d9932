import type { Connection } from './connection.js';
import type { Call } from './procedures/procedures.js';

/** Connections that take turns. */
export interface Pool {
  /** Waits for a free connection. */
  acquire(): Promise<Connection>;
  release(connection: Connection): void;
  /** Does work of several statements on the next free connection. */
  call: Call;
}

export function createPool(connections: readonly Connection[]): Pool {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];

  const acquire = async () => {
    const requestedAt = performance.now();
    const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
    connection.requestedAt = requestedAt;
    return connection;
  };
  const release = (connection: Connection) => {
    connection.requestedAt = null;
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  };

  return {
    acquire,
    release,
    async call(name, ...given) {
      const connection = await acquire();
      try {
        return await connection.call(name, ...given);
      } finally {
        release(connection);
      }
    },
  };
}
