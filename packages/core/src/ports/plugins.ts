import type { PluginPermission } from '@recollect/contract';
import type {
  ConfigurationValidation,
  Installation,
  JobRun,
  PluginCall,
  PluginOutcome,
  PluginPackage,
  PluginRequest,
  Schedule,
} from '../plugin.js';
import type { Lease } from './indexing.js';

/** Answers a request that a plugin makes during a call. Throws the error that the plugin gets instead. */
export type AnswerRequest = (request: PluginRequest) => Promise<unknown>;

/** Runs each plugin in a separate process with limits on time, memory and output. */
export interface PluginHost {
  /** The plugins that ship with Recollect. */
  shipped(): Promise<PluginPackage[]>;
  /**
   * Copies a folder's files and loads them with the permissions in `allow` to read the manifest. With `sha256`, accepts
   * only files with that hash. Throws PLUGIN_INVALID.
   */
  add(folder: string, options: { sha256: string | null; allow: readonly PluginPermission[] }): Promise<PluginPackage>;
  /** Ends a plugin's process and deletes the copy of its files. */
  remove(plugin: PluginPackage): Promise<void>;
  /** Validates a configuration against the plugin's schema. Throws PLUGIN_INVALID when the plugin does not start. */
  validateConfiguration(
    plugin: Installation,
    configuration: Readonly<Record<string, unknown>>,
  ): Promise<ConfigurationValidation>;
  /** Calls a plugin, one call at a time per plugin. Never throws because of the plugin. */
  call(
    plugin: Installation,
    call: PluginCall,
    options: { userId: string; answer: AnswerRequest; signal: AbortSignal },
  ): Promise<PluginOutcome>;
  close(): Promise<void>;
}

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

/** The state of plugins, separate for each plugin and user. Values are JSON. */
export interface PluginStateStore {
  get(userId: string, slug: string, key: string): Promise<unknown>;
  /** False when there are already `most` keys. Throws {@link LeaseLostError}. */
  set(lease: Lease, slug: string, key: string, value: unknown, most: number): Promise<boolean>;
  /** Throws {@link LeaseLostError}. */
  remove(lease: Lease, slug: string, key: string): Promise<void>;
  /** Sorted. */
  keys(userId: string, slug: string, prefix: string): Promise<string[]>;
}

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

/** A capture event not yet delivered to a plugin. Its id is the same for all plugins. */
export interface OutboxEvent {
  /** Its position in commit order. */
  position: number;
  id: string;
  memoryId: string;
  time: string;
}

export interface EventCounts {
  slug: string;
  /** Events delivered successfully since the plugin was installed. */
  told: number;
  waiting: number;
  parked: number;
  /** When the first waiting event is due; null when none is waiting. */
  nextAt: string | null;
  /** The last error among waiting and parked events. */
  lastError: string | null;
  /** Whether the user's captures reach it: always for the local user, else if they have switched it on. */
  isUsed: boolean;
}

/** Events to deliver to plugins. The memory store writes them in the transaction of the capture. */
export interface EventOutbox {
  /** Active plugins with a due event, per user. */
  waiting(now: string): Promise<{ userId: string; slug: string }[]>;
  /** Claims the lease to deliver a plugin's events. Null while another runner holds it. */
  claim(userId: string, slug: string, leaseMs: number): Promise<Lease | null>;
  /** The first unparked event of a plugin. Null when there is none or it is not due. */
  next(userId: string, slug: string, now: string): Promise<OutboxEvent | null>;
  /** Removes an event, and counts it as delivered unless `wasDelivered` is false. Throws {@link LeaseLostError}. */
  settle(lease: Lease, event: OutboxEvent, wasDelivered?: boolean): Promise<void>;
  /**
   * Records a failure. The event is due again after `retryAfterMs(failures)`, or parked when that returns null. Throws
   * {@link LeaseLostError}.
   */
  fail(
    lease: Lease,
    event: OutboxEvent,
    failure: { error: string; now: string; retryAfterMs: (failures: number) => number | null },
  ): Promise<void>;
  counts(userId: string): Promise<EventCounts[]>;
  /** Switches a plugin on or off for a person. Off also removes their waiting events and schedules. */
  setUse(userId: string, slug: string, isUsed: boolean, now: string): Promise<void>;
  /** Makes all events of a plugin due immediately, including parked ones. */
  requeue(slug: string, now: string): Promise<void>;
}
