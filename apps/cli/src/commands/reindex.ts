import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import { removeFormerEmbeddings } from '../remove-former-embeddings.js';
import { runIndexing } from '../run-indexing.js';
import { print, printJson } from '../terminal/output.js';
import { type AddCommand, integerInRange, withRecollect } from './command.js';
import { stopSignal } from './stop-signal.js';

const { minimum, maximum } = limits.reindex.batch;

export const addReindex: AddCommand = (program) => {
  program
    .command('reindex')
    .description('make missing embeddings, for example after changing the model')
    .option('--batch-size <number>', 'memories per batch', integerInRange('--batch-size', minimum, maximum))
    .option('--json', 'print JSON')
    .action(reindex);
};

async function reindex({ batchSize, json }: { batchSize?: number; json?: boolean }): Promise<void> {
  await withRecollect(async (recollect) => {
    const signal = stopSignal();
    const summary = await runIndexing(recollect, { isQuiet: json === true, batchSize, signal });
    const advice = summary.status === 'completed' ? await removeFormerEmbeddings(recollect, signal) : null;
    const isStopped = signal.aborted && summary.status === 'pending';
    const sentence = isStopped ? 'Stopped. Run the command again to embed the rest.' : summary.message;
    const message = advice === null ? sentence : `${sentence} ${advice}`;
    if (json) printJson({ ...summary, message });
    else print(`${count(summary.processed, 'memory', 'memories')} embedded. ${message}`);
    if (summary.status === 'failed' || summary.status === 'blocked' || isStopped) process.exitCode = 1;
  });
}
