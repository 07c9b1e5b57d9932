import type Sqlite from 'better-sqlite3';
/** An SQLite error with its extended code, such as `SQLITE_IOERR_FSYNC`. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Lets a read-only connection read a file that was cut short, or whose schema has errors. */
export function tolerateDamage(database: Sqlite.Database): void {
  database.unsafeMode(true);
  database.pragma('writable_schema = on');
}
