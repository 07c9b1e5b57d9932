import { LOCAL_USER } from '@recollect/core';
import { inert, print, printJson } from '../../terminal/output.js';
import type { AddCommand } from '../command.js';
import { stopSignal } from '../stop-signal.js';
import { formatRun } from './describe.js';
import { resolveJob } from './resolve-job.js';
import { withPluginHere } from './with-plugin.js';

export const addRun: AddCommand = (plugins) => {
  plugins
    .command('run')
    .description('run a plugin job now')
    .argument('<plugin>', 'plugin name')
    .argument('[job]', 'job; optional if the plugin has only one')
    .option('--json', 'print JSON')
    .action(run);
};

async function run(slug: string, given: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const signal = stopSignal();
  await withPluginHere(slug, async ({ core }) => {
    const { plugins } = await core.plugins.list(LOCAL_USER);
    const jobId = resolveJob(plugins, slug, given);
    const result = await core.jobs.run(LOCAL_USER, slug, jobId, { signal });
    if (result.status === 'failed' || result.status === 'timeout') process.exitCode = 1;
    if (json) return printJson(result);
    print(`${slug} ${jobId}: ${formatRun(result)}`);
    for (const detail of result.details) print(`  ${inert(detail)}`);
  });
}
