import { print, printJson } from '../../terminal/output.js';
import { type AddCommand, withExecutor } from '../command.js';
import { printPlugin } from './describe.js';

export const addList: AddCommand = (plugins) => {
  plugins
    .command('list')
    .description('list installed and available plugins with their jobs')
    .option('--json', 'print JSON')
    .action(list);
};

async function list({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const answer = await call('listPlugins', {});
    if (json) return printJson(answer);
    for (const plugin of answer.plugins) printPlugin(plugin);
    if (answer.plugins.every(({ state }) => state === 'available')) {
      print('\nNo plugin is installed. Install one with: recollect plugins install daily-digest');
    }
  });
}
