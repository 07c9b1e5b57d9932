export { listBackups } from './backup-folder.js';
export { type Backups, type BackupsOptions, type CreateOptions, openBackups } from './open-backups.js';
export { formatName, type NamedBackup, parseName } from './partial-files.js';
export { readReport } from './report-file.js';
export { type BackupFile, lookAtFile, type Staged, stageBackup } from './stage-backup.js';
