import { limits } from '@recollect/contract/limits';
import { runIndexing } from '../run-indexing.js';
import { count, print, printJson } from '../terminal/output.js';
import { type AddCommand, wholeNumber, withRecollect } from './command.js';

const { minimum, maximum } = limits.reindex.batch;

export const addReindex: AddCommand = (program) => {
  program
    .command('reindex')
    .description('make the embeddings that memories lack, such as after a change of the model')
    .option('--batch-size <number>', 'memories at a time', wholeNumber('--batch-size', minimum, maximum))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect reindex')
    .action(reindex);
};

async function reindex({ batchSize, json }: { batchSize?: number; json?: boolean }): Promise<void> {
  await withRecollect(async (recollect) => {
    const summary = await runIndexing(recollect, { isQuiet: json === true, batchSize });
    if (json) printJson(summary);
    else print(`${count(summary.processed, 'memory', 'memories')} embedded. ${summary.message}`);
    if (summary.status === 'failed' || summary.status === 'blocked') process.exitCode = 1;
  });
}
