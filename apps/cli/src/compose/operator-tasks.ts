import { storeKindOf } from '@recollect/storage';
import { ConfigurationError } from '../config.js';

/** What commands do with the file of a store, and the operator with a database. */
const TASKS = {
  backup:
    'Recollect makes no backups of a database. Run PGOPTIONS="-c recollect.user=*" pg_dump --enable-row-security --format=custom --file=recollect.dump "$RECOLLECT_DATABASE_URL", or use the backups of its server.',
  restore:
    'Recollect restores no database. Stop all servers of the store, then run pg_restore --clean --if-exists --dbname="$RECOLLECT_DATABASE_URL" recollect.dump.',
  doctor:
    'recollect doctor examines files. For a database, run pg_amcheck on its server, and reindexdb if an index is damaged. recollect status lists damaged memories.',
  salvage:
    'recollect doctor --salvage reads files. Restore the newest backup of the database. recollect export writes what can be read.',
};

/** What `recollect update` says instead of making a backup of a database. */
export const UPDATE_WITHOUT_BACKUP =
  'No backup is made, since the store is in a database. If the new version changes its tables, only a backup of its server goes back.';

export type OperatorTask = keyof typeof TASKS;

export function isDatabase(databaseUrl: string): boolean {
  return storeKindOf(databaseUrl) === 'database';
}

/** What the operator of a database does in place of backups. Null for other stores. */
export function backupAdvice(databaseUrl: string): string | null {
  return isDatabase(databaseUrl) ? `${TASKS.backup} ${TASKS.restore}` : null;
}

/** Throws what the operator of a database does instead, if the store is in one. */
export function leaveToOperator(databaseUrl: string, task: OperatorTask): void {
  if (isDatabase(databaseUrl)) throw new ConfigurationError(TASKS[task]);
}
