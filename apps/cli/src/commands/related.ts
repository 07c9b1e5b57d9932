import { limits } from '@recollect/contract/limits';
import { readMemory, resolveMemoryId } from '../memory-references.js';

import { print, printJson } from '../terminal/output.js';
import { printMemories } from '../terminal/print.js';
import { NO_MODEL_ADVICE } from './advice.js';
import { type AddCommand, integerInRange, withExecutor } from './command.js';

const { minimum, maximum, default: usual } = limits.memories.related;

export const addRelated: AddCommand = (program) => {
  program
    .command('related')
    .description('list the memories that are most similar in meaning')
    .argument('<id>', 'memory id, the beginning of one, or @1 for the first memory of the last list')
    .option('--limit <number>', 'maximum number of memories', integerInRange('--limit', minimum, maximum), usual)
    .option('--json', 'print JSON')
    .action(related);
};

async function related(typed: string, { limit, json }: { limit: number; json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const id = await resolveMemoryId(call, typed);
    const { embedding } = await readMemory(call, id);
    const answer = await call('relatedMemories', { parameters: { id }, query: { limit } });
    if (json) return printJson(answer);
    if (embedding.state === 'off')
      return print(`Without an embedding model, nothing can be compared. ${NO_MODEL_ADVICE}`);
    if (embedding.state === 'pending')
      return print('This memory has no embeddings yet. Make them with: recollect reindex');
    if (answer.related.length === 0) return print('There are no similar memories.');
    await printMemories(
      [{ title: 'similarity', width: 10 }],
      answer.related.map(({ similarity, title, id: other }) => ({ id: other, title, cells: [similarity.toFixed(2)] })),
    );
  });
}
