import Type from 'typebox';
import { Backup, BackupList } from '../backup.js';
import { routes } from '../routes.js';
import type { Operation } from './operation.js';

/** Backups of the whole store. Restoring needs a stopped server, so it has no operation. */
export const backupOperations = {
  listBackups: {
    ...routes.listBackups,
    scope: 'operate',
    summary: 'Returns the backups with their checks, newest first, and when the next one is due.',
    answers: { 200: BackupList },
    problems: [],
  },
  createBackup: {
    ...routes.createBackup,
    scope: 'operate',
    summary: 'Makes a backup and checks it. Responds when it is finished.',
    answers: { 201: Backup },
    problems: ['BACKUP_FAILED', 'NOT_FOUND'],
  },
  downloadBackup: {
    ...routes.downloadBackup,
    scope: 'operate',
    summary: 'Returns the file of a backup, by its name without the folder.',
    parameters: Type.Object({ name: Type.String() }),
    produces: '*/*',
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String({ format: 'binary' })) },
    problems: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
