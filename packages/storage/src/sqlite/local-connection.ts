import type { StatementRunner } from './connection.js';
import type { ConnectionOptions } from './messages.js';
import { openSession } from './session.js';
import { SqliteError } from './sqlite-error.js';

/**
 * Opens a connection on the calling thread, whose statements block the event loop: for a process that does one thing at
 * a time, where starting a thread takes longer than most statements. The caller must close it. Throws a {@link
 * SqliteError}.
 */
export function openLocalConnection(options: ConnectionOptions): StatementRunner {
  const session = openSession(options);
  return {
    async run(sql, parameters = [], lockTimeout = undefined, before = []) {
      const { rows, changes, insertId } = named(() => session.run({ sql, parameters }, lockTimeout, before));
      return { rows, numAffectedRows: BigInt(changes), insertId: BigInt(insertId) };
    },
    callWithin:
      ({ budget }) =>
      async (procedure, ...args) =>
        named(() => session.call(procedure, args, { id: 0, budget })) as never,
    close: async () => session.close(),
  };
}

/** Throws the same error as a thread. */
function named<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { message, code = 'ERROR' } = error as Error & { code?: string };
    throw new SqliteError(message, code);
  }
}

/** Milliseconds that a lookup may wait for a lock. Readers of a WAL only wait while it is being recovered. */
const LOOKUP_TIMEOUT = 250;

/** Opens a connection on the calling thread that reads a row or two by an index, even in a server. */
export function openLookup(path: string, { isDamaged = false } = {}): StatementRunner {
  return openLocalConnection({ path, readonly: true, isDamaged, busyTimeout: LOOKUP_TIMEOUT });
}
