import Type from 'typebox';
import { Backup, BackupList, RestoreAnswer, RestorePreview } from '../backup.js';
import { routes } from '../routes.js';
import type { Operation } from './operation.js';

const BackupName = Type.Object({ name: Type.String() });

/** Backups of the whole store. */
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
  previewRestore: {
    ...routes.previewRestore,
    scope: 'operate',
    summary: 'Checks a backup, and returns how it differs from the store. Changes nothing.',
    parameters: BackupName,
    answers: { 200: RestorePreview },
    problems: ['BACKUP_FAILED', 'NOT_FOUND'],
  },
  restoreBackup: {
    ...routes.restoreBackup,
    scope: 'operate',
    summary: 'Checks a backup, and starts the server again with it. The former store is kept in a folder beside it.',
    parameters: BackupName,
    answers: { 202: RestoreAnswer },
    problems: ['BACKUP_FAILED', 'NOT_FOUND'],
  },
  downloadBackup: {
    ...routes.downloadBackup,
    scope: 'operate',
    summary: 'Returns the file of a backup, by its name without the folder.',
    parameters: BackupName,
    produces: '*/*',
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String({ format: 'binary' })) },
    problems: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
