import { describeBackup, type FindNewestBackup, RecollectError } from '@recollect/core';
import { type Refusal, StoreRefusedError } from '@recollect/storage';
import { ConfigurationError } from '../config.js';

/** Advice for each reason why the store did not open. */
const ADVICE: Readonly<Record<Refusal, (dataFolder: string, file: string, error: StoreRefusedError) => string>> = {
  'too-new': () => 'Nothing was changed. Update Recollect.',
  foreign: (folder) =>
    `Nothing was changed. Set RECOLLECT_DATA_DIR to a folder other than ${folder}, or move that file elsewhere.`,
  'not-a-database': (folder) =>
    `It was not changed. Run recollect doctor, and restore a backup with recollect restore. Keep recollect.db and the files next to it in ${folder}, which may contain memories. To start with an empty store, set RECOLLECT_DATA_DIR to another folder.`,
  missing: () => 'Save something first, for example with recollect capture.',
  damaged: () =>
    'It was not changed. Restore a backup with recollect restore. recollect doctor --salvage DIR saves what can still be read.',
  incomplete: (folder) =>
    `Nothing in ${folder} was changed. Restore recollect.db from your system's trash, or run recollect restore, and start again. To start with an empty store, first move recollect.db-wal to a safe place: it may be all that is left of your memories.`,
  lost: (folder) =>
    `Nothing in ${folder} was changed. Restore the newest backup with recollect restore, or recollect.db from your system's trash. To start with an empty store, first move the folder backups to a safe place.`,
  network: (folder) =>
    `Nothing in ${folder} was changed. Set RECOLLECT_DATA_DIR to a folder on a disk of this machine. To use it there anyway, from one machine at a time, set RECOLLECT_ALLOW_NETWORK_STORE=1.`,
  'open-folder': (folder) =>
    `Nothing was changed. Run chmod go-w ${folder}, or set RECOLLECT_DATA_DIR to another folder.`,
  'read-only': (_, file) =>
    `Nothing was changed. Run ${process.platform === 'win32' ? 'attrib -r' : 'chmod u+rw'} ${file}`,
  'not-owned': (_, file) =>
    `Nothing was changed. Run sudo chown "$(id -un)" ${file}, or use the account that owns the store.`,
  unreachable: () => 'Start the server, or correct the host and port in RECOLLECT_DATABASE_URL.',
  login: () => 'Correct the name and password in RECOLLECT_DATABASE_URL, or the rules in pg_hba.conf.',
  'no-tls': () =>
    'Set up TLS on the server, and name its certificate authority with sslrootcert=FILE in RECOLLECT_DATABASE_URL.',
  'no-database': () => 'Create it with createdb, or correct its name in RECOLLECT_DATABASE_URL.',
  'no-right': () =>
    'Nothing was changed. As an administrator of the database, run CREATE EXTENSION vector and GRANT CREATE ON SCHEMA public TO the account.',
  standby: () =>
    'Start its primary, or name all servers in RECOLLECT_DATABASE_URL: postgres://NAME:PASSWORD@HOST,HOST/DATABASE.',
  'no-schema': () => 'As an administrator of the database, run CREATE SCHEMA for the account.',
  'server-too-old': () => 'Nothing was changed. Update the server to PostgreSQL 15 or later.',
  'server-encoding': () => 'Nothing was changed. Create a database with ENCODING UTF8.',
  'no-pgvector': () => 'Install it, for example with apt install postgresql-17-pgvector, and start again.',
  'pgvector-too-old': () => 'Install version 0.8.4 or later, run ALTER EXTENSION vector UPDATE, and start again.',
  'foreign-tables': () => 'Nothing was changed. Set RECOLLECT_DATABASE_URL to an empty database.',
  pooler: () =>
    'Connect to the server itself, or set pool_mode = session for this database in the pooler, as in PgBouncer.',
  'no-citus': () =>
    'Nothing was changed. Connect to the coordinator of a Citus cluster, and run CREATE EXTENSION citus there. One PostgreSQL server needs no distribution.',
  'no-connection': () =>
    'Raise max_connections on the server, or the CONNECTION LIMIT of the account. A process opens up to 16 connections.',
  moved: (_, __, { file, other }) =>
    `The memories are in ${other}. Set RECOLLECT_DATABASE_URL to it. To use this store all the same, ${unmark(file)}.`,
  unfinished: (_, __, { other }) =>
    `It gets the memories of ${other}. Run recollect migrate again with the same stores to continue.`,
  'not-empty': () => 'Nothing was changed. Name an empty database, or a file that does not exist.',
  'too-old': () => 'Nothing was changed. Run recollect status with this store once, which updates it.',
  'in-use': () => 'Nothing was changed. Stop its servers and other commands, then try again.',
  'same-store': () => 'Nothing was changed.',
  'too-many-files': () => 'Raise the limit, for example with ulimit -n 1024, then start again.',
};

/** What removes the mark of a move. */
function unmark(file: string | null): string {
  return file === null ? `run psql "$RECOLLECT_DATABASE_URL" -c 'drop table store_mark'` : `delete the file ${file}`;
}

/** Refusals that a different configuration would not fix. */
const NOT_CONFIGURATION: readonly Refusal[] = ['not-a-database', 'damaged', 'too-many-files', 'no-connection'];

function isDamaged(error: unknown): boolean {
  return error instanceof StoreRefusedError && (error.refusal === 'damaged' || error.refusal === 'not-a-database');
}

/** Error codes of the system for a folder or file that cannot be used. */
const SYSTEM_ERRORS = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ENOENT', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'];

/** Throws why the store did not open; for one that is damaged or lost, with the newest backup. */
export async function refuse(error: unknown, dataFolder: string, newestBackup: FindNewestBackup): Promise<never> {
  const explained = explain(error, dataFolder);
  if (error instanceof StoreRefusedError && error.refusal === 'lost')
    throw new ConfigurationError(`${(explained as Error).message} ${await describeBackup(newestBackup)}`);
  if (!isDamaged(error)) throw explained;
  throw new RecollectError('UNAVAILABLE', `${(explained as Error).message} ${await describeBackup(newestBackup)}`);
}

/** Explains why the store did not open, and what to do. */
export function explain(error: unknown, dataFolder: string): unknown {
  if (error instanceof StoreRefusedError) {
    const sentence = `${error.message} ${ADVICE[error.refusal](dataFolder, error.file ?? dataFolder, error)}`;
    return NOT_CONFIGURATION.includes(error.refusal)
      ? new RecollectError('UNAVAILABLE', sentence)
      : new ConfigurationError(sentence);
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined && !SYSTEM_ERRORS.includes(code ?? '')) return error;
  return new ConfigurationError(
    `The folder ${dataFolder} cannot be used. Set RECOLLECT_DATA_DIR to a folder that you can write to.`,
  );
}
