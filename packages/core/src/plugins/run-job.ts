import { limits } from '@recollect/contract/limits';
import type { Installation, JobRun, PluginOutcome, Schedule } from '../plugin.js';
import type { CorePorts } from '../ports/core-ports.js';
import { keepLease, releaseLease } from '../runners/keep-lease.js';
import { createId } from '../text/create-id.js';
import type { CallPlugin } from './call-plugin.js';

/** `busy`: already running or no longer due. `lost`: another runner took over. `stopped`: cancelled. */
export type RunOutcome =
  | { kind: 'ran'; run: JobRun; schedule: Schedule | null }
  | { kind: 'busy' | 'lost' | 'stopped' };

/** The dependencies of running jobs. */
export type JobPorts = Pick<CorePorts, 'pluginJobs' | 'leases' | 'clock'>;

export interface RunRequest {
  userId: string;
  plugin: Installation;
  jobId: string;
  /** The slot of the schedule that the job runs for. Missing when it runs on request. */
  dueAt?: string | undefined;
  signal: AbortSignal;
}

/** Runs a job under a lease. Afterwards one transaction checks the lease, records the run and advances the schedule. */
export async function runJob(
  ports: JobPorts,
  callPlugin: CallPlugin,
  { userId, plugin, jobId, dueAt, signal }: RunRequest,
): Promise<RunOutcome> {
  const { pluginJobs, leases, clock } = ports;
  const { slug } = plugin.manifest;
  const lease = await pluginJobs.claim(userId, slug, jobId, { leaseMs: limits.work.leaseMs, dueAt });
  if (lease === null) return { kind: 'busy' };
  const held = keepLease((milliseconds) => leases.renew(lease, milliseconds));
  try {
    const startedAt = clock.now();
    const either = AbortSignal.any([signal, held.signal]);
    const outcome = await callPlugin(plugin, { kind: 'job', jobId }, { lease, signal: either });
    if (outcome.kind === 'stopped') return { kind: held.isLost() ? 'lost' : 'stopped' };
    const now = clock.now();
    const run: JobRun = {
      id: createId(startedAt),
      slug,
      jobId,
      trigger: dueAt === undefined ? 'request' : 'schedule',
      status: statusOf(outcome),
      summary: outcome.summary,
      details: [...outcome.details],
      startedAt: startedAt.toISOString(),
      finishedAt: now.toISOString(),
    };
    const schedule = await pluginJobs.finish(lease, run, {
      now: now.toISOString(),
      keep: limits.jobs.runs,
      advance: (present) => (isCurrentSlot(present, dueAt) ? next(present, now) : undefined),
    });
    return schedule === false ? { kind: 'lost' } : { kind: 'ran', run, schedule };
  } finally {
    held.stop();
    // Has no effect after `finish`, which has already released the lease.
    await releaseLease(leases, lease);
  }
}

/** Whether the schedule still has the slot of this run; the schedule may have changed during the run. */
function isCurrentSlot({ enabled, nextRunAt: present }: Schedule, dueAt: string | undefined): boolean {
  return enabled && present !== null && present === dueAt;
}

function next({ nextRunAt: present, intervalMinutes }: Schedule, now: Date): string | null {
  return present === null ? null : nextRunAt(present, intervalMinutes, now);
}

function statusOf(outcome: Exclude<PluginOutcome, { kind: 'stopped' }>): JobRun['status'] {
  if (outcome.kind === 'done') return outcome.status;
  return outcome.kind === 'timeout' ? 'timeout' : 'failed';
}

const MINUTE = 60_000;

/**
 * The first slot of a schedule after `now`. Slots are a whole number of intervals away from `base`, the slot that was
 * due. So a daily job keeps its time of day however late it ran, and a job that was missed many times runs once. The
 * same rule applies to a base in the future, as after the clock was set back.
 *
 * @example
 * nextRunAt('2026-01-01T07:30:00.000Z', 1_440, new Date('2026-01-08T09:00:00Z')); // '2026-01-09T07:30:00.000Z'
 */
export function nextRunAt(base: string, intervalMinutes: number, now: Date): string {
  const interval = intervalMinutes * MINUTE;
  const since = now.getTime() - Date.parse(base);
  const passed = Math.floor(since / interval) + 1;
  return new Date(Date.parse(base) + passed * interval).toISOString();
}
