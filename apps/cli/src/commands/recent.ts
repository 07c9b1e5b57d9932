import { limits } from '@recollect/contract/limits';
import { type Sort, sorts } from '@recollect/contract/vocabulary';
import { Option } from 'commander';
import { ago, print, printJson } from '../terminal/output.js';
import { printMemories } from '../terminal/print.js';
import { type AddCommand, integerInRange, withExecutor } from './command.js';
import { addFilterOptions, type FilterOptions, toOperators } from './filter-options.js';

const { minimum, maximum } = limits.memories.page;

export const addRecent: AddCommand = (program) => {
  const command = program
    .command('recent')
    .description('list memories, the newest first')
    .option('--limit <number>', 'maximum number of memories', integerInRange('--limit', minimum, maximum), 20)
    .addOption(new Option('--sort <order>', 'opened: those last opened first').choices([...sorts]).default('newest'))
    .option('--json', 'print JSON');
  addFilterOptions(command).action(recent);
};

interface RecentOptions extends FilterOptions {
  limit: number;
  sort: Sort;
  json?: boolean;
}

async function recent(options: RecentOptions): Promise<void> {
  const { limit, sort } = options;
  await withExecutor(async ({ call }) => {
    const filter = toOperators(options).join(' ');
    const answer = await call('listMemories', { query: { limit, sort, filter } });
    if (options.json) return printJson(answer);
    const advice = filter === '' ? 'Save one with: recollect capture' : 'Try fewer filters.';
    if (answer.memories.length === 0) return print(`No memories found. ${advice}`);
    await printMemories(
      [{ title: 'when', width: 14 }],
      answer.memories.map(({ capturedAt, title, id, generatedBy }) => ({
        id,
        title: generatedBy === null ? title : `${title} (written by the plugin ${generatedBy})`,
        cells: [ago(capturedAt)],
      })),
    );
  });
}
