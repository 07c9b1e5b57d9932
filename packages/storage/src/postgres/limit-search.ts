import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** What ends the statements of the search that is running. */
const limits = new AsyncLocalStorage<AbortSignal>();

/** Runs a search whose statements end with a signal. */
export function endWith<Result>(signal: AbortSignal, search: () => Promise<Result>): Promise<Result> {
  return limits.run(signal, search);
}

/** Sends a statement that does not end with the search, because it goes ahead of another one. */
export function endNever<Result>(send: () => Result): Result {
  return limits.exit(send);
}

/**
 * Makes a connection end its statement when the search that it belongs to ends: the server would continue otherwise.
 *
 * @param cancel ends the statement of a server's process
 */
export function cancelWithSearch(client: pg.ClientBase, cancel: (processId: number) => Promise<unknown>): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  const limited = async (signal: AbortSignal, values: unknown[]) => {
    signal.throwIfAborted();
    let cancelling: Promise<unknown> | undefined;
    const end = () => {
      cancelling = cancel((client as unknown as { processID: number }).processID).catch(() => {});
    };
    signal.addEventListener('abort', end, { once: true });
    try {
      const result = await query(...values);
      // A setting that was sent ahead of the statement may have been ended instead.
      signal.throwIfAborted();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
      // The next statement of the connection must not be ended.
      await cancelling;
    }
  };
  const ending = (...values: unknown[]) => {
    const signal = limits.getStore();
    return signal === undefined || typeof values.at(-1) === 'function' ? query(...values) : limited(signal, values);
  };
  client.query = ending as typeof client.query;
}
