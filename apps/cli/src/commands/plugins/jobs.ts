import type { Plugin, ScheduleAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { describeInterval } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import { ago, inert, print, printJson } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError, integerInRange, stopSignal } from '../command.js';
import { formatRun, formatTimeUntil } from './list.js';
import { withPlugin, withPluginHere } from './with-plugin.js';

export const addRun: AddCommand = (plugins) => {
  plugins
    .command('run')
    .description('run a plugin job now')
    .argument('<plugin>', 'plugin name')
    .argument('[job]', 'job; optional if the plugin has only one')
    .option('--json', 'print JSON')
    .action(run);
};

async function run(slug: string, jobName: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const signal = stopSignal();
  await withPluginHere(slug, async ({ core }) => {
    const { plugins } = await core.plugins.list(LOCAL_USER);
    const jobId = resolveJob(plugins, slug, jobName);
    const result = await core.jobs.run(LOCAL_USER, slug, jobId, { signal });
    if (result.status === 'failed' || result.status === 'timeout') process.exitCode = 1;
    if (json) return printJson(result);
    print(`${slug} ${jobId}: ${formatRun(result)}`);
    for (const detail of result.details) print(`  ${inert(detail)}`);
  });
}

export const addRuns: AddCommand = (plugins) => {
  plugins
    .command('runs')
    .description('list the runs of a plugin, newest first')
    .argument('<plugin>', 'plugin name')
    .argument('[job]', 'list only this job; onCapture lists failed hook runs')
    .option('--limit <number>', 'maximum number of runs (default: 20)', integerInRange('--limit', 1, limits.jobs.runs))
    .option('--json', 'print JSON')
    .action(runs);
};

async function runs(
  slug: string,
  jobId: string | undefined,
  { limit = 20, json }: { limit?: number; json?: boolean },
): Promise<void> {
  await withPlugin(slug, async ({ call }) => {
    const answer = await call('pluginRuns', { parameters: { slug }, query: { jobId } });
    const shown = answer.runs.slice(0, limit);
    if (json) return printJson({ runs: shown });
    if (shown.length === 0)
      return print('No runs yet. Only failed hook runs are kept; recollect plugins list counts the rest.');
    for (const run of shown) {
      print(`${ago(run.startedAt)}  ${run.jobId} (${run.trigger}): ${formatRun(run)}`);
      for (const detail of run.details) print(`  ${inert(detail)}`);
    }
  });
}

const MINUTES: Readonly<Record<string, number>> = { '': 1, m: 1, h: 60, d: 1_440 };

export const addSchedule: AddCommand = (plugins) => {
  plugins
    .command('schedule')
    .description('run a plugin job at an interval, or stop doing so')
    .argument('<plugin>', 'plugin name')
    .argument('[job]', 'job; optional if the plugin has only one')
    .option(
      '--every <interval>',
      "minutes, or for example 15m, 2h, 1d (default: the previous interval, else the job's own)",
      readInterval,
    )
    .option('--off', 'stop the schedule but keep its interval')
    .option('--json', 'print JSON')
    .action(schedule);
};

async function schedule(
  slug: string,
  jobName: string | undefined,
  { every, off, json }: { every?: number; off?: boolean; json?: boolean },
): Promise<void> {
  await withPlugin(slug, async ({ call }) => {
    const { plugins } = await call('listPlugins', {});
    const jobId = resolveJob(plugins, slug, jobName);
    const body = {
      action: 'configure-job-schedule',
      slug,
      jobId,
      enabled: off !== true,
      intervalMinutes: every,
    } as const;
    const { schedule: set } = (await call('pluginAction', { body })) as ScheduleAnswer;
    if (json) return printJson(set);
    if (!set.enabled) return print(`${slug} ${jobId} is no longer scheduled.`);
    print(
      `${slug} ${jobId} runs ${describeInterval(set.intervalMinutes)}, first ${formatTimeUntil(set.nextRunAt ?? '')}.`,
    );
  });
}

function readInterval(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([mhd]?)$/.exec(text) ?? [];
  const minutes = Number(number) * (MINUTES[unit] ?? 1);
  const { minimum, maximum } = limits.jobs.intervalMinutes;
  if (number !== '' && minutes >= minimum && minutes <= maximum) return minutes;
  throw new InvalidOptionError(
    `--every must be ${minimum} to ${maximum} minutes, as a number or with m, h or d, such as 15m, 2h or 1d.`,
  );
}

/** Returns the given job, or the plugin's only one. */
function resolveJob(plugins: readonly Plugin[], slug: string, jobName: string | undefined): string {
  if (jobName !== undefined) return jobName;
  const pluginJobs = plugins.find((plugin) => plugin.slug === slug)?.jobs ?? [];
  const [only, ...others] = pluginJobs;
  if (only !== undefined && others.length === 0) return only.jobId;
  // Core reports an unknown plugin, or one without jobs, when the job is used.
  if (only === undefined) return 'none';
  throw new InvalidOptionError(
    `The plugin has several jobs. Choose one of: ${pluginJobs.map(({ jobId }) => jobId).join(', ')}.`,
  );
}
