import type Sqlite from 'better-sqlite3';

/** Lets a read-only connection read a file that was cut short, or whose schema has errors. */
export function tolerateDamage(database: Sqlite.Database): void {
  database.unsafeMode(true);
  database.pragma('writable_schema = on');
}
