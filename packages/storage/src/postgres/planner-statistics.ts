import { type Kysely, sql } from 'kysely';
import type { RunWrite } from '../dialect.js';
import type { Tables } from '../tables.js';

/** Milliseconds from a write to the next look at the tables. */
const LOOK_AFTER = 1_000;
/** Milliseconds from a write to another look: a connection without work reports its last changes after 10 s. */
const LOOK_AGAIN_AFTER = 12_000;
/** Changed rows from which on a table is analysed, if they are also more than half of it. */
const MIN_CHANGES = 100;

/** Statistics of tables, by which the planner chooses indexes. */
export interface PlannerStatistics {
  /** Wraps the function that runs writes: some time after one, the statistics follow. */
  following(runWrite: RunWrite): RunWrite;
  /** Waits for a look that has begun. */
  close(): Promise<void>;
}

/**
 * Analyses tables that grew much. PostgreSQL looks for changed tables once a minute. In its first minute, an import
 * writes thousands of rows with the plans of an empty table, which read all rows of a user.
 *
 * @param db runs statements outside of transactions
 */
export function createPlannerStatistics(db: Kysely<Tables>): PlannerStatistics {
  let soon: NodeJS.Timeout | undefined;
  let last: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let isClosed = false;

  const look = async () => {
    const { rows } = await sql<{ name: string }>`
      select s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema()
        and s.n_mod_since_analyze > ${MIN_CHANGES} + greatest(c.reltuples, 0) / 2`.execute(db);
    // A table whose index is being made is left for later.
    for (const { name } of rows) await sql`analyze (skip_locked) ${sql.id(name)}`.execute(db);
  };
  const begin = () => {
    soon = undefined;
    // Writes do not depend on it, and it is repeated after the next one.
    looking = look().catch(() => {});
  };

  return {
    following: (runWrite) => async (userId, work) => {
      const result = await runWrite(userId, work);
      if (isClosed) return result;
      soon ??= setTimeout(begin, LOOK_AFTER).unref();
      clearTimeout(last);
      last = setTimeout(begin, LOOK_AGAIN_AFTER).unref();
      return result;
    },
    async close() {
      isClosed = true;
      clearTimeout(soon);
      clearTimeout(last);
      await looking;
    },
  };
}
