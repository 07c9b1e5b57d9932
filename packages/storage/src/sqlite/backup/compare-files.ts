import Sqlite from 'better-sqlite3';

/** How the memories of a backup and of a store differ, memories in the trash included. */
export interface Comparison {
  backup: number;
  store: number;
  onlyInBackup: number;
  onlyInStore: number;
  /** Memories that both have, and that were changed since. */
  changed: number;
  /** The latest days, in UTC, of memories that only one of them has, newest first. */
  days: { day: string; onlyInBackup: number; onlyInStore: number }[];
  /** When the newest memory of each was captured. Null for an empty one. */
  newest: { backup: string | null; store: string | null };
}

/** Days that are listed. */
const MAX_DAYS = 31;

const onlyIn = (first: string, second: string) =>
  `${first}.memories as a where not exists (
    select 1 from ${second}.memories as b where b.user_id = a.user_id and b.id = a.id)`;

/** Compares two files of stores by the ids of their memories. Nothing else may use them. */
export function compareFiles(backup: string, store: string): Comparison {
  const database = new Sqlite(store);
  try {
    database.prepare('attach ? as backup').run(backup);
    const read = (sql: string) => database.prepare(sql).pluck().get();
    const count = (from: string) => Number(read(`select count(*) from ${from}`));
    const newest = (name: string) => read(`select max(captured_at) from ${name}.memories`) as string | null;
    return {
      backup: count('backup.memories'),
      store: count('main.memories'),
      onlyInBackup: count(onlyIn('backup', 'main')),
      onlyInStore: count(onlyIn('main', 'backup')),
      changed: count(`main.memories as a join backup.memories as b on b.user_id = a.user_id and b.id = a.id
        where b.updated_at <> a.updated_at`),
      days: database
        .prepare(
          `select substr(at, 1, 10) as day, sum(came) as onlyInBackup, sum(went) as onlyInStore from (
            select a.captured_at as at, 1 as came, 0 as went from ${onlyIn('backup', 'main')}
            union all select a.captured_at, 0, 1 from ${onlyIn('main', 'backup')}
          ) group by day order by day desc limit ${MAX_DAYS}`,
        )
        .all() as Comparison['days'],
      newest: { backup: newest('backup'), store: newest('main') },
    };
  } finally {
    database.close();
  }
}
