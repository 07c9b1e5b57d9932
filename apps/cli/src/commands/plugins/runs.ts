import { limits } from '@recollect/contract/limits';
import { ago, inert, print, printJson } from '../../terminal/output.js';
import { type AddCommand, integerInRange } from '../command.js';
import { formatRun } from './describe.js';
import { withPlugin } from './with-plugin.js';

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
