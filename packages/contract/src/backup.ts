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

/** A restore that the server has made since it was started. */
export const Restored = Type.Object({
  /** The name of the file of the backup. */
  name: Type.String(),
  at: Type.String(),
  /** The folder with the former store. Null if the restore failed. */
  replaced: OrNull(Type.String()),
  /** Why it failed. Null if it did not. */
  problem: OrNull(Type.String()),
});

/** The backups, newest first, and their state; null if the store is in memory or in a database. */
export const BackupList = Type.Object({
  backups: Type.Array(Backup),
  state: OrNull(BackupState),
  /** The last restore. */
  restored: OrNull(Restored),
  /** What the operator of a database does instead. Null for other stores. */
  advice: OrNull(Type.String()),
});

/** How the memories of a backup and of a store differ, memories in the trash included. */
export const StoreDifference = Type.Object({
  backup: Type.Integer(),
  store: Type.Integer(),
  /** A restore brings these back. */
  onlyInBackup: Type.Integer(),
  /** After a restore, only the former store has these. */
  onlyInStore: Type.Integer(),
  /** Memories that both have, and that were changed since. */
  changed: Type.Integer(),
  /** The latest days of memories that only one of them has, newest first. */
  days: Type.Array(Type.Object({ day: Type.String(), onlyInBackup: Type.Integer(), onlyInStore: Type.Integer() })),
  /** When the newest memory of each was captured. Null for an empty one. */
  newest: Type.Object({ backup: OrNull(Type.String()), store: OrNull(Type.String()) }),
});

/** What a restore of a backup would do. The backup has passed its check. */
export const RestorePreview = Type.Object({
  name: Type.String(),
  memories: Type.Integer(),
  bytes: Type.Integer(),
  /** Null if the present store cannot be read. */
  difference: OrNull(StoreDifference),
});

/** A restore that begins: the server starts again with the backup. */
export const RestoreAnswer = Type.Object({ name: Type.String() });

export type Backup = Static<typeof Backup>;
export type BackupFailure = Static<typeof BackupFailure>;
export type BackupState = Static<typeof BackupState>;
export type Restored = Static<typeof Restored>;
export type StoreDifference = Static<typeof StoreDifference>;
export type RestorePreview = Static<typeof RestorePreview>;
export type BackupList = Static<typeof BackupList>;
