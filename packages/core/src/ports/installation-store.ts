import type { Installation } from '../plugin.js';

export type InstallationChange = Partial<Omit<Installation, 'source'>>;

/** The installed plugins of all users, by slug. */
export interface InstallationStore {
  find(slug: string): Promise<Installation | null>;
  /** Sorted by slug. */
  list(): Promise<Installation[]>;
  /** False when the slug is already installed. */
  insert(installation: Installation, now: string): Promise<boolean>;
  /** Changes the given fields. False when unknown. */
  update(slug: string, change: InstallationChange, now: string): Promise<boolean>;
  /** Counts a failed start and returns the new count. */
  countFailedStart(slug: string): Promise<number>;
  /**
   * Removes a plugin with its schedules, runs, events and state. Work in progress for it loses its lease. False when
   * unknown.
   */
  remove(slug: string): Promise<boolean>;
}
