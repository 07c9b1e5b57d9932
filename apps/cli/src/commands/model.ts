import { count } from '@recollect/contract/text';
import { describeBacklog } from '../terminal/describe-speed.js';
import { print, printJson, style } from '../terminal/output.js';
import { type AddCommand, withExecutor } from './command.js';
import { useModel } from './use-model.js';

export const addModel: AddCommand = (program) => {
  const shown = program
    .command('model')
    .description('show the embedding model in use and how many memories have its embeddings')
    .option('--json', 'print JSON')
    .action(model);
  shown
    .command('use')
    .description('use another model, unless it finds clearly less in your own memories')
    .argument('<model>', 'english, multilingual, or a folder as RECOLLECT_MODEL names it')
    .option('--force', 'use it without a test')
    .option('--json', 'print JSON')
    .action((name: string, _options, command) => useModel(name, command.optsWithGlobals()));
};

async function model({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call, server }) => {
    const { model: name, embeddings } = await call('status', {});
    const { model: shipped } = await call('getModel', {});
    const { total, withEmbeddings, withoutEmbeddings, chunksPerSecond, secondsLeft } = embeddings;
    if (json) return printJson({ model: name, total, withEmbeddings, withoutEmbeddings, chunksPerSecond, secondsLeft });
    if (name === null)
      return print(
        `No model is configured, so search uses full text only. ${count(total, 'memory', 'memories')} in the store.`,
      );
    print(
      `${shipped === null ? style('bold', name) : `${style('bold', shipped)} (${name})`}\n${withEmbeddings} of ${count(total, 'memory', 'memories')} ${total === 1 ? 'has' : 'have'} its embeddings.`,
    );
    if (withoutEmbeddings === 0) return;
    print(describeBacklog(embeddings, server !== null));
  });
}
