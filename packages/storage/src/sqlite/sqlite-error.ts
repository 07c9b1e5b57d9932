/** An SQLite error with its extended code, such as `SQLITE_IOERR_FSYNC`. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
