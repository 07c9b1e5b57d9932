import type { JobResult, JobSchedule, RunDueAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { JobRun } from '../plugin.js';
import type { DueJob } from '../ports/index.js';
import { inParallel } from '../runners/in-parallel.js';
import type { CallPlugin } from './call-plugin.js';
import { type Catalogue, checkActive, jobOf } from './catalogue.js';
import { toJobSchedule } from './describe-plugin.js';
import { type JobPorts, runJob } from './run-job.js';

/** Number of plugins whose jobs run in parallel. Each plugin runs one job at a time. */
const MAX_PARALLEL_PLUGINS = 4;
const MINUTE = 60_000;

interface RunDueOptions {
  limit?: number | undefined;
  /** Every user's jobs by default. */
  userId?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface Jobs {
  /** Runs a job now. Throws NOT_FOUND, PLUGIN_NOT_INSTALLED, PLUGIN_DISABLED, PLUGIN_SUSPENDED, JOB_RUNNING. */
  run(userId: string, slug: string, jobId: string, options?: { signal?: AbortSignal | undefined }): Promise<JobResult>;
  /**
   * Enables or disables a job's schedule. The interval is the given one, else the stored one, else the job's default.
   *
   * @example
   * await core.jobs.schedule(LOCAL_USER, 'daily-digest', 'digest', { enabled: true, intervalMinutes: 1_440 });
   */
  schedule(
    userId: string,
    slug: string,
    jobId: string,
    setting: { enabled: boolean; intervalMinutes?: number | null | undefined },
  ): Promise<JobSchedule>;
  /** Runs due jobs of one user or of all, oldest first. Concurrent runners never run the same job twice. */
  runDue(options?: RunDueOptions): Promise<RunDueAnswer>;
}

/** Runs jobs of plugins on request or on an interval (PLG-1, PLG-2, PLG-5). */
export function createJobs(ports: JobPorts, catalogue: Catalogue, callPlugin: CallPlugin): Jobs {
  const { pluginJobs, clock } = ports;
  const never = new AbortController().signal;

  /** Runs a due job. Null when it did not run to its end here, as when another runner has taken it. */
  const runOne = async ({ userId, slug, jobId, nextRunAt }: DueJob, signal: AbortSignal) => {
    const plugin = await catalogue.findActive(slug);
    if (plugin === null) return null;
    if (!plugin.manifest.jobs.some(({ id }) => id === jobId)) {
      // The plugin's files were replaced, and the new ones do not contain this job.
      const schedule = await pluginJobs.findSchedule(userId, slug, jobId);
      const off = { slug, jobId, enabled: false, intervalMinutes: schedule?.intervalMinutes ?? 1, nextRunAt: null };
      await pluginJobs.saveSchedule(userId, off, clock.now().toISOString());
      return null;
    }
    const outcome = await runJob(ports, callPlugin, { userId, plugin, jobId, dueAt: nextRunAt, signal });
    if (outcome.kind !== 'ran') return null;
    const { status, summary, details } = outcome.run;
    return { jobId, pluginSlug: slug, status, summary, details, nextRunAt: outcome.schedule?.nextRunAt ?? null };
  };

  return {
    async run(userId, slug, jobId, { signal = never } = {}) {
      const plugin = await catalogue.get(slug);
      jobOf(plugin, jobId);
      checkActive(plugin);
      const outcome = await runJob(ports, callPlugin, { userId, plugin, jobId, signal });
      switch (outcome.kind) {
        case 'ran':
          return toResult(outcome.run);
        case 'busy':
          throw new RecollectError('JOB_RUNNING', 'This job is already running. Wait until it ends.');
        case 'lost':
          throw new RecollectError(
            'JOB_RUNNING',
            'Another runner took over this job, or the plugin was uninstalled. This run was not recorded.',
          );
        case 'stopped':
          throw new RecollectError('UNAVAILABLE', 'The job was cancelled before it ended. This run was not recorded.');
      }
    },

    async schedule(userId, slug, jobId, { enabled, intervalMinutes }) {
      const plugin = await catalogue.get(slug);
      const job = jobOf(plugin, jobId);
      checkActive(plugin);
      const now = clock.now();
      const stored = await pluginJobs.findSchedule(userId, slug, jobId);
      const interval = intervalMinutes ?? stored?.intervalMinutes ?? job.defaultIntervalMinutes;
      const nextRunAt = enabled ? new Date(now.getTime() + interval * MINUTE).toISOString() : null;
      const schedule = { slug, jobId, enabled, intervalMinutes: interval, nextRunAt };
      await pluginJobs.saveSchedule(userId, schedule, now.toISOString());
      return toJobSchedule(schedule);
    },

    async runDue({ limit = limits.jobs.runDue.default, userId, signal = never } = {}) {
      const due = await pluginJobs.due(clock.now().toISOString(), { limit, userId: userId ?? null });
      const results: (Awaited<ReturnType<typeof runOne>> | undefined)[] = new Array(due.length);
      const byPlugin = Map.groupBy(due.keys(), (index) => due[index]?.slug ?? '');
      await inParallel([...byPlugin.values()], MAX_PARALLEL_PLUGINS, async (indexes) => {
        for (const index of indexes) {
          const job = due[index];
          if (signal.aborted || job === undefined) return;
          results[index] = await runOne(job, signal);
        }
      });
      const ran = results.filter((result) => result !== null && result !== undefined);
      return { ok: true, processed: ran.length, results: ran };
    },
  };
}

function toResult({ jobId, status, summary, details, startedAt, finishedAt }: JobRun): JobResult {
  return { jobId, status, summary, details, startedAt, finishedAt };
}
