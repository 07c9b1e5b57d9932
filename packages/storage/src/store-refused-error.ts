/**
 * Why a store was not opened: `too-new` written by a newer version; `foreign` a database of another program;
 * `not-a-database` no database, or a damaged one; `damaged` a store that is too damaged to be read; `missing` there is
 * none, and none is made; `incomplete` a WAL whose database is missing or empty; `lost` there is none, although there
 * was one; `too-many-files` this process may open no more files; `network` a folder on a network file system;
 * `open-folder` a folder that other accounts can write to; `read-only` a file that its owner may not write to;
 * `not-owned` a file of another account.
 * On a database server: `unreachable` it does not answer; `login` wrong name or password; `no-tls` no encrypted
 * connection as demanded; `no-database` no database of that name; `no-right` the account may not create what is needed;
 * `standby` it only accepts reads; `no-schema` no schema on the search path; `server-too-old`; `server-encoding` not
 * UTF-8; `no-pgvector` and `pgvector-too-old`; `foreign-tables` tables of another program; `pooler` a pooler
 * that shares connections; `no-connection` the server has no connection left.
 * About clusters: `no-citus` the database is not on a Citus coordinator.
 * About moves: `moved` its memories are in another store; `unfinished` the target of a move that has not ended;
 * `not-empty` a target that has memories; `too-old` a source of an earlier version; `in-use` another process uses it;
 * `same-store` source and target are the same.
 */
export type Refusal =
  | 'too-new'
  | 'foreign'
  | 'not-a-database'
  | 'damaged'
  | 'missing'
  | 'incomplete'
  | 'lost'
  | 'too-many-files'
  | 'network'
  | 'open-folder'
  | 'read-only'
  | 'not-owned'
  | 'unreachable'
  | 'login'
  | 'no-tls'
  | 'no-database'
  | 'no-right'
  | 'standby'
  | 'no-schema'
  | 'server-too-old'
  | 'server-encoding'
  | 'no-pgvector'
  | 'pgvector-too-old'
  | 'foreign-tables'
  | 'pooler'
  | 'no-citus'
  | 'no-connection'
  | 'moved'
  | 'unfinished'
  | 'not-empty'
  | 'too-old'
  | 'in-use'
  | 'same-store';

const MESSAGES: Readonly<Record<Refusal, string>> = {
  'too-new': 'The store was written by a newer version of Recollect.',
  foreign: 'The file recollect.db belongs to another program.',
  'not-a-database': 'The file recollect.db is not a Recollect store, or it is damaged.',
  damaged: 'The store file recollect.db is damaged, and cannot be read.',
  missing: 'There is no store yet.',
  incomplete:
    'recollect.db is missing or empty, but recollect.db-wal beside it contains memories that have not been written back.',
  lost: 'recollect.db is missing or empty, although there are backups of it.',
  network:
    'The store is on a network file system. Locks and syncs are not reliable there, so that memories could be lost.',
  'open-folder':
    'Other accounts can write to the folder of the store, so they could replace the store or read later changes.',
  'read-only': 'A file of the store is read-only, so that nothing could be saved.',
  'not-owned': 'A file of the store belongs to another account, and this one may not write to it.',
  unreachable: 'The database server cannot be reached.',
  login: 'The database server rejected the name or the password.',
  'no-tls': 'The database server offers no encrypted connection with a certificate that can be verified.',
  'no-database': 'The database server has no database of this name.',
  'no-right': 'The account of the database may not create what the store needs.',
  standby: 'The database server only accepts reads.',
  'no-schema': 'The account of the database has no schema in which it can create tables.',
  'server-too-old': 'The database server is older than PostgreSQL 15.',
  'server-encoding': 'The database has another encoding than UTF-8.',
  'no-pgvector': 'The extension pgvector is not installed on the database server.',
  'pgvector-too-old': 'The extension pgvector of the database is older than 0.8.4.',
  'foreign-tables': 'The schema of the database has tables of another program, or only some tables of a store.',
  pooler: 'A connection pooler gives connections to several clients by turns, so that locks and settings are lost.',
  'no-connection': 'The database server has no connection left.',
  'too-many-files': 'The store cannot be opened: too many open files. This process has reached its limit.',
  'no-citus': 'The database has no extension citus, so there are no machines to spread its tables over.',
  moved: 'This store was moved, and changes to it would be lost.',
  unfinished: 'A move to this store has not finished.',
  'not-empty': 'The target of the move has data of another store.',
  'too-old': 'The store has the layout of an earlier version.',
  'in-use': 'Another process uses the store.',
  'same-store': 'Source and target of the move are the same store.',
};

interface RefusalDetails {
  cause?: unknown;
  file?: string | null;
  other?: string | null;
}

/** A store was not opened. Nothing was written, and no file was touched. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
  readonly refusal: Refusal;
  /** The path of the file that it is about, where it is about one. */
  readonly file: string | null;
  /** The other store of a move: where the memories are now, or where they come from. */
  readonly other: string | null;
  constructor(refusal: Refusal, { file = null, other = null, ...options }: RefusalDetails = {}) {
    super(MESSAGES[refusal], options);
    this.refusal = refusal;
    this.file = file;
    this.other = other;
  }
}
