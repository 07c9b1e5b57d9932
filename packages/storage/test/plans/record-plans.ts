import Sqlite from 'better-sqlite3';

/** A statement with its query plan. */
export interface Planned {
  sql: string;
  /** The steps, as `explain query plan` gives them. Steps of one select have the same parent. */
  steps: { parent: number; detail: string }[];
}

/** The ways to run a statement. */
const RUNS = ['all', 'get', 'run', 'iterate'] as const;

const isPlanned = (sql: string) => /^\s*(?:select|insert|update|delete|with)\b/i.test(sql);

/**
 * Records each different statement that this thread runs in SQLite from now on, with its plan for the values of its
 * first run: a partial index depends on them.
 */
export function recordPlans() {
  const database = new Sqlite(':memory:');
  const prototype: Sqlite.Statement = Object.getPrototypeOf(database.prepare('select 1'));
  database.close();
  const planned = new Map<string, Planned>();
  let isPaused = false;
  const explain = ({ source: sql, database }: Sqlite.Statement, parameters: readonly unknown[]) => {
    if (isPaused || planned.has(sql) || !isPlanned(sql)) return;
    isPaused = true;
    const rows = database.prepare<unknown[], Planned['steps'][number]>(`explain query plan ${sql}`).all(...parameters);
    planned.set(sql, { sql, steps: rows });
    isPaused = false;
  };
  const originals = RUNS.map((name) => [name, prototype[name]] as const);
  for (const [name, run] of originals)
    Object.assign(prototype, {
      [name](this: Sqlite.Statement, ...parameters: unknown[]) {
        explain(this, parameters);
        return (run as (...given: unknown[]) => unknown).apply(this, parameters);
      },
    });
  return {
    planned: () => [...planned.values()],
    /** Leaves out the statements of some work. */
    async without<T>(work: () => Promise<T>): Promise<T> {
      isPaused = true;
      return work().finally(() => {
        isPaused = false;
      });
    },
    stop: () => Object.assign(prototype, Object.fromEntries(originals)),
  };
}
