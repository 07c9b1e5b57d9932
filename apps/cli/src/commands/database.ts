import { count } from '@recollect/contract/text';
import { readConfiguration } from '../config.js';
import { print, printJson } from '../terminal/output.js';
import type { AddCommand } from './command.js';

export const addDatabase: AddCommand = (program) => {
  program
    .command('database')
    .description('look after a store in PostgreSQL')
    .command('distribute')
    .description('spread the store over the machines of a Citus cluster')
    .option('--json', 'print JSON')
    .action(distribute);
};

async function distribute({ json = false }: { json?: boolean }): Promise<void> {
  const { distributeDatabase } = await import('../compose/distribution.js');
  const { spread, copied } = await distributeDatabase(readConfiguration());
  if (json) return printJson({ spread, copied });
  if (spread.length + copied.length === 0) return print('Nothing to do: all tables are distributed.');
  print(
    `Spread ${count(spread.length, 'table')} over the cluster by user, and copied ${copied.length} to each machine.`,
  );
}
