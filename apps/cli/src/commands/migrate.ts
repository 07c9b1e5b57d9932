import { count } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import { ConfigurationError, readConfiguration } from '../config.js';
import { parseStoreUrl, STORE_URL } from '../store-url.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { showProgress } from '../terminal/progress.js';
import { type AddCommand, InvalidOptionError, stopSignal } from './command.js';

export const addMigrate: AddCommand = (program) => {
  program
    .command('migrate')
    .description('move the store to another database or file')
    .requiredOption('--to <url>', 'postgres://NAME@HOST/DATABASE or sqlite:PATH; empty, or an unfinished move to it')
    .option('--from <url>', 'the store to move (default: the store of the settings)')
    .option('--json', 'print JSON')
    .action(migrate);
};

interface MigrateOptions {
  to: string;
  from?: string;
  json?: boolean;
}

async function migrate({ to, from, json = false }: MigrateOptions): Promise<void> {
  const configuration = readConfiguration();
  const source = from === undefined ? configuration.databaseUrl : storeUrl('--from', from);
  const target = storeUrl('--to', to);
  if (source === target) throw new ConfigurationError('--from and --to are the same store. Nothing was changed.');
  const { migrateStore } = await import('../compose/migration.js');
  const signal = stopSignal();
  const progress = showProgress(1, json);
  const work = migrateStore(
    configuration,
    { from: source, to: target },
    {
      signal,
      onProgress: (done, whole, table) => progress.update(done / whole, `${done} of ${whole} rows: ${table}`),
    },
  );
  const { rows, location } = await work.catch((error) => {
    if (!signal.aborted) throw error;
    throw new RecollectError('UNAVAILABLE', 'Stopped. Run the same command again to continue.', { cause: error });
  });
  progress.stop('');
  if (json) return printJson({ location, rows });
  print(`${style('green', 'Moved')} ${count(rows.memories ?? 0, 'memory', 'memories')} to ${inert(location)}.`);
  print('Both stores have been compared. The former one is unchanged, but commands refuse it from now on.');
  print('Next, set RECOLLECT_DATABASE_URL to the new store, then start the server.');
}

function storeUrl(option: string, url: string): string {
  const store = parseStoreUrl(url);
  if (store === null) throw new InvalidOptionError(`${option} must be ${STORE_URL}.`);
  return store;
}
