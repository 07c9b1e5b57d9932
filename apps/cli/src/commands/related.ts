import { limits } from '@recollect/contract/limits';
import { LOCAL_USER } from '@recollect/core';
import { print, printJson, printTable } from '../terminal/output.js';
import { adviseMemoryId, NO_MODEL_ADVICE, withAdvice } from './advice.js';
import { type AddCommand, integerInRange, withRecollect } from './command.js';

const { minimum, maximum, default: usual } = limits.memories.related;

export const addRelated: AddCommand = (program) => {
  program
    .command('related')
    .description('list the memories that are most similar in meaning')
    .argument('<id>', 'memory id, as printed by search and recent')
    .option('--limit <number>', 'maximum number of memories', integerInRange('--limit', minimum, maximum), usual)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect related 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f --limit 10')
    .action(related);
};

async function related(id: string, { limit, json }: { limit: number; json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const { embedding } = await withAdvice(core.memories.get(LOCAL_USER, id), adviseMemoryId);
    const answer = await core.memories.related(LOCAL_USER, id, limit);
    if (json) return printJson(answer);
    if (embedding.state === 'off')
      return print(`Without an embedding model, nothing can be compared. ${NO_MODEL_ADVICE}`);
    if (embedding.state === 'pending')
      return print('This memory has no embeddings yet. Make them with: recollect reindex');
    if (answer.related.length === 0) return print('There are no similar memories.');
    printTable(
      [{ title: 'similarity', width: 10 }, { title: 'title' }, { title: 'id', width: 36 }],
      answer.related.map(({ similarity, title, id: other }) => [similarity.toFixed(2), title, other]),
    );
  });
}
