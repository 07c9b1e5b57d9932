import type { CompiledQuery } from 'kysely';
import type { Trx } from './tables.js';

/** A statement of Kysely's, or one in SQL. */
interface Compilable {
  compile(trx: Trx): CompiledQuery;
}

const queued = new WeakSet<CompiledQuery>();

/**
 * Queues a statement of a transaction whose result is not needed. It is sent to the connection's thread with the next
 * awaited statement, and runs before it; the rest of the queue runs before the commit. If it fails, later statements do
 * not run, and fail with its error.
 */
export async function enqueue(trx: Trx, statement: Compilable): Promise<void> {
  const query = statement.compile(trx);
  queued.add(query);
  await trx.executeQuery(query);
}

/** Whether a statement goes to the thread with the next one. */
export const isQueued = (query: CompiledQuery): boolean => queued.has(query);
