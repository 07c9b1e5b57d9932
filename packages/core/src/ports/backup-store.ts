import type { Backup, BackupFailure, BackupKind } from '@recollect/contract';

/** A backup with the position in the change sequence that it contains. Null if that is unknown. */
export interface StoredBackup extends Backup {
  sequence: number | null;
}

/** A finished copy of a store: one file, opened, checked, counted and hashed. */
export interface StoreCopy {
  bytes: number;
  sha256: string;
  /** Live memories and those in the trash, of all users. */
  memories: number;
  /** The newest number of the change sequence in it. */
  sequence: number;
}

/** Copies an open store into a new file while it is in use. Throws if the copy does not pass its check. */
export type CopyStore = (target: string, options?: { signal?: AbortSignal | undefined }) => Promise<StoreCopy>;

/** The backups of one store. */
export interface BackupStore {
  /** Where the backups are. */
  folder: string;
  /** Whether the server makes automatic backups. */
  isAutomatic: boolean;
  /** Newest first. Backups that a wrong clock has dated in the future come last. */
  list(): Promise<StoredBackup[]>;
  /** Writes a backup and checks it. Throws BACKUP_FAILED, and leaves nothing behind then. */
  create(kind: BackupKind, options?: { signal?: AbortSignal | undefined }): Promise<StoredBackup>;
  remove(backup: StoredBackup): Promise<void>;
  /** The failure that was saved last, by any process. */
  failure(): Promise<BackupFailure | null>;
  saveFailure(failure: BackupFailure | null): Promise<void>;
}
