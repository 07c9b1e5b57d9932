import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import { inert, print, printJson } from '../terminal/output.js';
import { type AddCommand, integerInRange, stopSignal, withRecollect } from './command.js';

const { minimum, maximum, default: usual } = limits.jobs.runDue;

export const addRunDue: AddCommand = (program) => {
  program
    .command('jobs:run-due', { hidden: true })
    .description('run due plugin jobs and notify plugins of captures, for cron or another scheduler')
    .argument('[limit]', `maximum number of jobs (default: ${usual})`, integerInRange('The limit', minimum, maximum))
    .option('--json', 'print JSON')
    .action(runDue);
};

async function runDue(limit: number | undefined, { json }: { json?: boolean }): Promise<void> {
  const signal = stopSignal();
  await withRecollect(async ({ core }) => {
    const [answer, delivered] = await Promise.all([
      core.jobs.runDue({ userId: LOCAL_USER, signal, limit }),
      core.events.deliver({ signal }),
    ]);
    if (answer.results.some(({ status }) => status === 'failed' || status === 'timeout')) process.exitCode = 1;
    if (json) return printJson({ ...answer, delivered });
    for (const { pluginSlug, jobId, status, summary, nextRunAt } of answer.results) {
      print(
        `${pluginSlug} ${jobId}: ${status}. ${inert(summary)}${nextRunAt === null ? '' : ` Next at ${nextRunAt}.`}`,
      );
    }
    if (answer.processed === 0) print('No job is due.');
    if (delivered > 0) print(`${count(delivered, 'event was', 'events were')} delivered to plugins.`);
  });
}
