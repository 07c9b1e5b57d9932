import { limits } from '@recollect/contract/limits';
import { LOCAL_USER } from '@recollect/core';
import { print, printJson } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { everyInWords, soon } from './describe.js';
import { resolveJob } from './resolve-job.js';
import { withPlugin } from './with-plugin.js';

const MINUTES: Readonly<Record<string, number>> = { '': 1, m: 1, h: 60, d: 1_440 };

export const addSchedule: AddCommand = (plugins) => {
  plugins
    .command('schedule')
    .description('run a job of a plugin again and again, or not any more')
    .argument('<plugin>', 'its name')
    .argument('[job]', 'the job; may be left out where there is one alone')
    .option(
      '--every <interval>',
      "minutes, or such as 15m, 2h, 1d; the one it had or the job's own when missing",
      readInterval,
    )
    .option('--off', 'do not run it any more; the interval is kept')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe server runs what is due, or recollect jobs:run-due where it does not run.\n\nExamples:\n  recollect plugins schedule daily-digest --every 1d\n  recollect plugins schedule daily-digest --off',
    )
    .action(schedule);
};

async function schedule(
  slug: string,
  given: string | undefined,
  { every, off, json }: { every?: number; off?: boolean; json?: boolean },
): Promise<void> {
  await withPlugin(slug, async ({ core }) => {
    const jobId = await resolveJob(core, slug, given);
    const set = await core.jobs.schedule(LOCAL_USER, slug, jobId, {
      enabled: off !== true,
      intervalMinutes: every ?? null,
    });
    if (json) return printJson(set);
    if (!set.enabled) return print(`${slug} ${jobId} is not scheduled any more.`);
    print(`${slug} ${jobId} runs ${everyInWords(set.intervalMinutes)}, first ${soon(set.nextRunAt ?? '')}.`);
  });
}

function readInterval(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([mhd]?)$/.exec(text) ?? [];
  const minutes = Number(number) * (MINUTES[unit] ?? 1);
  const { minimum, maximum } = limits.jobs.intervalMinutes;
  if (number !== '' && minutes >= minimum && minutes <= maximum) return minutes;
  throw new InvalidOptionError(
    `--every takes minutes from ${minimum} to ${maximum}, or a number with m, h or d, such as 15m, 2h or 1d.`,
  );
}
