import Type, { type Static } from 'typebox';
import { OrNull } from './schema.js';
import { backupKinds } from './vocabulary.js';

/** A backup file. Sizes are in bytes. */
export const Backup = Type.Object({
  path: Type.String(),
  kind: Type.Enum([...backupKinds]),
  at: Type.String(),
  bytes: Type.Integer(),
  /** Of the file. Null if the report that was written with the backup is missing. */
  sha256: OrNull(Type.String()),
  /** Live memories and those in the trash, of all users. Null if the report is missing. */
  memories: OrNull(Type.Integer()),
  /** Whether it is encrypted with a passphrase, in the age format. */
  isEncrypted: Type.Boolean(),
  /** Whether it was opened, checked, counted and hashed after it was written, and still has its size. */
  isVerified: Type.Boolean(),
});

/** Why the last attempt to make an automatic backup failed. */
export const BackupFailure = Type.Object({
  at: Type.String(),
  /** When the first of the attempts failed. */
  since: Type.String(),
  message: Type.String(),
  /** Attempts that failed since the last backup. */
  attempts: Type.Integer(),
});

/** The state of the backups. */
export const BackupState = Type.Object({
  folder: Type.String(),
  /** Whether the server makes automatic backups. */
  isAutomatic: Type.Boolean(),
  /** The newest backup. Null if there is none. */
  last: OrNull(Backup),
  /** When the next automatic backup or attempt is due. Null if there are none. */
  nextAt: OrNull(Type.String()),
  failure: OrNull(BackupFailure),
});

/** The backups, newest first, and their state; null if the store is in memory. */
export const BackupList = Type.Object({ backups: Type.Array(Backup), state: OrNull(BackupState) });

export type Backup = Static<typeof Backup>;
export type BackupFailure = Static<typeof BackupFailure>;
export type BackupState = Static<typeof BackupState>;
export type BackupList = Static<typeof BackupList>;
