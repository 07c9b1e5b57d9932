import type { Installation } from '../plugin.js';

export type InstallationChange = Partial<Omit<Installation, 'source'>>;

/** The plugins that are installed, for all users, by slug. */
export interface InstallationStore {
  find(slug: string): Promise<Installation | null>;
  /** By slug. */
  list(): Promise<Installation[]>;
  /** False when it is there already. */
  insert(installation: Installation, now: string): Promise<boolean>;
  /** Changes what is given. False when unknown. */
  update(slug: string, change: InstallationChange, now: string): Promise<boolean>;
  /** Counts a start that failed; the count by now. */
  countFailedStart(slug: string): Promise<number>;
  /** Removes a plugin with its schedules, runs, events and state; who works for it loses the lease. False when unknown. */
  remove(slug: string): Promise<boolean>;
}
