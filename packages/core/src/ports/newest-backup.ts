/** A backup of the store, as far as a message about damage names it. */
export interface NewestBackup {
  path: string;
  /** When it was made: ISO 8601. */
  at: string;
  /** Whether it was opened and checked after it was made. */
  isVerified: boolean;
}

/** Finds the newest backup, a verified one if there is any. Null if there is none. */
export type FindNewestBackup = () => Promise<NewestBackup | null>;
