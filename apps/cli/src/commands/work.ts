import { once } from 'node:events';
import { readConfiguration } from '../config.js';
import { print } from '../terminal/output.js';
import { type AddCommand, stopSignal, withRecollect } from './command.js';

export const addWork: AddCommand = (program) => {
  program
    .command('work')
    .description('index, run plugin jobs and notify plugins until stopped, for servers that leave this to workers')
    .action(work);
};

async function work(): Promise<void> {
  const signal = stopSignal();
  const { startWorker } = await import('@recollect/server');
  await withRecollect(async ({ core, embeddingModel }) => {
    const worker = startWorker(core, (line) => void process.stderr.write(`${line}\n`));
    print(`Working on the memories in ${readConfiguration().storePlace}. Press Ctrl-C to stop.`);
    if (embeddingModel === null) print('Embeddings are off, so this worker leaves indexing to others.');
    if (!signal.aborted) await once(signal, 'abort');
    await worker.close();
  }, 'service');
  print('The worker has stopped.');
}
