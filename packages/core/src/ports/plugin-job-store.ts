import type { JobRun, Schedule } from '../plugin.js';
import type { Lease } from './lease-store.js';

export interface DueJob extends Schedule {
  userId: string;
  nextRunAt: string;
}

/** Schedules and runs of plugin jobs. A job runs under a lease, so that it never runs twice at once. */
export interface PluginJobStore {
  findSchedule(userId: string, slug: string, jobId: string): Promise<Schedule | null>;
  listSchedules(userId: string): Promise<Schedule[]>;
  saveSchedule(userId: string, schedule: Schedule, now: string): Promise<void>;
  /**
   * Enabled, due schedules of active plugins that are not running, oldest first, of one user or of all. A schedule that
   * was saved in the future, as after the clock was set back, is also due.
   */
  due(now: string, options: { limit: number; userId: string | null }): Promise<DueJob[]>;
  /** Claims a job. With `dueAt`, only while its schedule still has that time. Null when the job is already running. */
  claim(
    userId: string,
    slug: string,
    jobId: string,
    options: { leaseMs: number; dueAt?: string | undefined },
  ): Promise<Lease | null>;
  /**
   * Records a run, keeps only the newest `keep` runs of the job, and releases the lease. `move` returns the next time
   * of the schedule, or undefined to leave it unchanged. Returns the resulting schedule, null when there is none, or
   * false when the lease is lost and nothing was written.
   */
  finish(
    lease: Lease,
    run: JobRun,
    options: { now: string; keep: number; advance: (schedule: Schedule) => string | null | undefined },
  ): Promise<Schedule | null | false>;
  /** Records a run without a job lease, such as a hook run. */
  record(userId: string, run: JobRun, keep: number): Promise<void>;
  /** Newest first. */
  runs(userId: string, slug: string, options: { jobId: string | null; limit: number }): Promise<JobRun[]>;
  /** The last run of each job. */
  lastRuns(userId: string): Promise<JobRun[]>;
}
