import { count, formatBytes } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import { inert, print, printJson, style } from '../terminal/output.js';
import { version } from '../version.js';
import { type AddCommand, withRecollect } from './command.js';

export const addStatus: AddCommand = (program) => {
  program
    .command('status')
    .description('show the store, its size, the embeddings and the plugins')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect status')
    .action(status);
};

async function status({ json }: { json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const answer = await core.status(LOCAL_USER);
    if (json) return printJson({ version, ...answer });
    const { store, memories, chunks, highlights, trash, embeddings, model, plugins } = answer;
    const { active, failures } = plugins;
    print(`${style('bold', 'Recollect')} ${version}`);
    const facts = {
      store: `${store.location ?? 'in memory'}, ${formatBytes(store.bytes, 'en')}`,
      'disk free': store.freeBytes === null ? '' : formatBytes(store.freeBytes, 'en'),
      memories: `${memories}, in ${count(chunks, 'chunk')}`,
      highlights: String(highlights),
      trash: count(trash, 'memory', 'memories'),
      embeddings:
        model === null
          ? 'off, search uses full text only'
          : `${embeddings.withEmbeddings} of ${count(embeddings.total, 'memory', 'memories')}, ${model}`,
      plugins: `${active} active, ${failures.length} failing`,
    };
    for (const [name, value] of Object.entries(facts)) {
      if (value !== '') print(`${style('dim', `${name}:`.padEnd(12))}${inert(value)}`);
    }
    for (const { slug, reason } of failures) print(`${' '.repeat(12)}${style('red', slug)} ${inert(reason)}`);
    if (model !== null && embeddings.needsReindex) print('\nMake the missing embeddings with: recollect reindex');
  });
}
