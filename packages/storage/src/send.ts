import type { CompiledQuery } from 'kysely';
import type { Trx } from './tables.js';

/** A statement of Kysely's, or one in SQL. */
interface Compilable {
  compile(trx: Trx): CompiledQuery;
}

const queued = new WeakSet<CompiledQuery>();

/**
 * Runs a statement of a transaction, of which no step needs a result, without a way to the thread of the connection and back: it goes
 * there together with the next statement that is waited for, or with the commit, and before it. If it fails, they fail with its
 * error, and do not run.
 */
export async function send(trx: Trx, statement: Compilable): Promise<void> {
  const query = statement.compile(trx);
  queued.add(query);
  await trx.executeQuery(query);
}

/** Whether a statement goes to the thread with the next one. */
export const isQueued = (query: CompiledQuery): boolean => queued.has(query);
