import { limits } from '@recollect/contract/limits';
import { LOCAL_USER } from '@recollect/core';
import { ago, print, printJson, printTable } from '../terminal/output.js';
import { type AddCommand, integerInRange, withRecollect } from './command.js';
import { addFilterOptions, type FilterOptions, toFilter } from './filter-options.js';

const { minimum, maximum } = limits.memories.page;

export const addRecent: AddCommand = (program) => {
  const command = program
    .command('recent')
    .description('list the newest memories')
    .option('--limit <number>', 'maximum number of memories', integerInRange('--limit', minimum, maximum), 20)
    .option('--json', 'print JSON');
  addFilterOptions(command)
    .addHelpText('after', '\nExamples:\n  recollect recent\n  recollect recent --site wikipedia.org --limit 5')
    .action(recent);
};

async function recent(options: FilterOptions & { limit: number; json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const answer = await core.memories.list(LOCAL_USER, { limit: options.limit, filter: toFilter(options) });
    if (options.json) return printJson(answer);
    if (answer.memories.length === 0) return print('No memories found. Save one with: recollect capture');
    printTable(
      [{ title: 'when', width: 14 }, { title: 'title' }, { title: 'id', width: 36 }],
      answer.memories.map(({ capturedAt, title, id }) => [ago(capturedAt), title, id]),
    );
  });
}
