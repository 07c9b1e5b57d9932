import { count } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import { print, printJson, style } from '../terminal/output.js';
import { type AddCommand, withRecollect } from './command.js';

export const addModel: AddCommand = (program) => {
  program
    .command('model')
    .description('show the embedding model in use and how many memories have its embeddings')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect model')
    .action(model);
};

async function model({ json }: { json?: boolean }): Promise<void> {
  await withRecollect(async ({ core, embeddingModel }) => {
    const { total, withEmbeddings, withoutEmbeddings } = await core.indexing.state(LOCAL_USER);
    const name = embeddingModel?.id ?? null;
    if (json) return printJson({ model: name, total, withEmbeddings, withoutEmbeddings });
    if (name === null)
      return print(
        `No model is configured, so search uses full text only. ${count(total, 'memory', 'memories')} in the store.`,
      );
    print(
      `${style('bold', name)}\n${withEmbeddings} of ${count(total, 'memory', 'memories')} ${total === 1 ? 'has' : 'have'} its embeddings.`,
    );
    if (withoutEmbeddings > 0) print('Run recollect reindex to embed the rest.');
  });
}
