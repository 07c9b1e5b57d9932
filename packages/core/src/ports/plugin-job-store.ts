import type { JobRun, Schedule } from '../plugin.js';
import type { Lease } from './lease-store.js';

export interface DueJob extends Schedule {
  userId: string;
  nextRunAt: string;
}

/** Schedules and runs of the jobs of plugins. A job runs under a lease, so that it never runs twice at once. */
export interface PluginJobStore {
  findSchedule(userId: string, slug: string, jobId: string): Promise<Schedule | null>;
  listSchedules(userId: string): Promise<Schedule[]>;
  saveSchedule(userId: string, schedule: Schedule, now: string): Promise<void>;
  /**
   * Enabled schedules of active plugins whose time has come and that nobody runs, oldest first; of one user, or of all.
   * One that was set in the future, as after the clock was put back, is due too.
   */
  due(now: string, options: { limit: number; userId: string | null }): Promise<DueJob[]>;
  /** The right to run a job now; with `dueAt` only while its schedule still has that time. Null when it runs already. */
  claim(
    userId: string,
    slug: string,
    jobId: string,
    options: { leaseMs: number; dueAt?: string | undefined },
  ): Promise<Lease | null>;
  /**
   * Keeps a run, of its job the newest `keep` alone, and gives the lease back; `move` tells the schedule's next time
   * from the present one, or undefined to leave it alone. The schedule as
   * it is then, null where there is none; false when the lease is lost and nothing was written.
   */
  finish(
    lease: Lease,
    run: JobRun,
    options: { now: string; keep: number; move: (schedule: Schedule) => string | null | undefined },
  ): Promise<Schedule | null | false>;
  /** Keeps a run that no lease stands for, as of a hook. */
  record(userId: string, run: JobRun, keep: number): Promise<void>;
  /** Newest first. */
  runs(userId: string, slug: string, options: { jobId: string | null; limit: number }): Promise<JobRun[]>;
  /** The last run of each job. */
  lastRuns(userId: string): Promise<JobRun[]>;
}
