import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { actAs, actingUser } from '../acting-user.js';
import type { RunWrite } from '../dialect.js';
import type { Tables, Trx } from '../tables.js';
import { codeOf, explainFault, isConflict } from './explain-fault.js';

/** How often a transaction that lost to another one is repeated. */
const ATTEMPTS = 5;

/** A first part of the lock's key, so that it is not another program's. */
const LOCKS = 0x7265636f;

/**
 * Runs transactions that write. A user's transactions wait for each other in the database, also across processes, since
 * each reads what it changes. In this process, they begin in the order of the calls.
 */
export function createRunWrite(writer: Kysely<Tables>): RunWrite {
  const last = new Map<string, Promise<unknown>>();

  const attempt = async <T>(userId: string | null, work: (trx: Trx) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await actAs(userId ?? actingUser(), () =>
          writer.transaction().execute(async (trx) => {
            if (userId !== null) await sql`select pg_advisory_xact_lock(${LOCKS}, ${keyOf(userId)})`.execute(trx);
            return work(trx);
          }),
        );
      } catch (error) {
        if (!isConflict(causeOf(error)) || tries === ATTEMPTS) throw explainFault(error);
      }
    }
  };

  return (userId, work) => {
    if (userId === null) return attempt(null, work);
    const before = last.get(userId) ?? Promise.resolve();
    const result = before.then(() => attempt(userId, work));
    const settled = result.catch(() => {});
    last.set(userId, settled);
    void settled.then(() => {
      if (last.get(userId) === settled) last.delete(userId);
    });
    return result;
  };
}

/** The error of the database in one that says what to do. */
function causeOf(error: unknown): unknown {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return codeOf(cause) === '' ? error : cause;
}

/** Two users may have the same number: they then wait for each other. */
function keyOf(userId: string): number {
  return createHash('sha256').update(userId).digest().readInt32BE();
}
