import type { ChangeBody } from '@recollect/contract';
import { followChange } from '@recollect/contract/follow-change';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import type { CallOperation } from '../executor/executor.js';
import { readMemory, resolveMemoryId } from '../memory-references.js';

import { print, printJson } from '../terminal/output.js';
import { undoAdvice } from './advice.js';
import { type AddCommand, forEachId, InvalidOptionError, integerInRange, withExecutor } from './command.js';
import { followWith } from './follow-change.js';

const { minimum, maximum, default: usual } = limits.query.results;

interface Options {
  query?: string;
  limit?: number;
  dryRun?: boolean;
  json?: boolean;
}

export const addDelete: AddCommand = (program) => {
  program
    .command('delete')
    .description('move memories to the trash')
    .argument('[ids...]', 'memory ids, beginnings of ids, or @1, @2 … from the last list')
    .option('--query <text>', 'what to delete instead of ids, written as for recollect search')
    .option(
      '--limit <number>',
      `with words in --query: how many results (default: ${usual})`,
      integerInRange('--limit', minimum, maximum),
    )
    .option('--dry-run', 'only count what would be deleted')
    .option('--json', 'print JSON')
    .action(remove);
};

async function remove(ids: string[], { query, limit, dryRun = false, json }: Options): Promise<void> {
  if (ids.length > 0 === (query !== undefined)) throw new InvalidOptionError('Pass either memory ids or --query.');
  if (query?.trim() === '') throw new InvalidOptionError('--query must not be blank. It would match every memory.');
  if (query === undefined && limit !== undefined) throw new InvalidOptionError('--limit requires --query.');
  await withExecutor(async ({ call }) => {
    const knownIds = query === undefined ? await selectKnown(call, ids) : null;
    // Each was reported.
    if (knownIds?.length === 0) return;
    const selection = knownIds === null ? { query, limit } : { ids: knownIds };
    const body: ChangeBody = { ...selection, delete: true, dryRun };
    const answer = await call('changeMemories', { body });
    const { matched, changed, changeId } = await followChange(answer, followWith(call, json));
    if (json) return printJson({ matched, changed, changeId });
    if (matched === 0) return print('No memories found. Nothing was deleted.');
    if (dryRun) return print(`${count(matched, 'memory', 'memories')} would be moved to the trash.`);
    print(`${count(changed, 'memory', 'memories')} moved to the trash.`);
    if (changeId !== null) print(undoAdvice(changeId));
  });
}

/** The ids of memories that exist. Reports the others. */
function selectKnown(call: CallOperation, ids: readonly string[]): Promise<string[]> {
  return forEachId(ids, async (typed) => {
    const id = await resolveMemoryId(call, typed);
    return (await readMemory(call, id)).id;
  });
}
