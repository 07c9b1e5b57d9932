import type { ScheduleAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { describeInterval } from '@recollect/contract/text';
import { print, printJson } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { formatTimeUntil } from './describe.js';
import { resolveJob } from './resolve-job.js';
import { withPlugin } from './with-plugin.js';

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
  given: string | undefined,
  { every, off, json }: { every?: number; off?: boolean; json?: boolean },
): Promise<void> {
  await withPlugin(slug, async ({ call }) => {
    const { plugins } = await call('listPlugins', {});
    const jobId = resolveJob(plugins, slug, given);
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
