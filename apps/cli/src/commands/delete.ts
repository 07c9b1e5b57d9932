import type { ChangeBody } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import type { Recollect } from '../compose.js';
import { print, printJson } from '../terminal/output.js';
import { adviseMemoryId, undoAdvice, withAdvice } from './advice.js';
import { type AddCommand, COMMAND_LINE, InvalidOptionError, integerInRange, withRecollect } from './command.js';
import { forEachId } from './for-each-id.js';

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
    .argument('[ids...]', 'memory ids, as printed by search and recent')
    .option('--query <text>', 'what to delete instead of ids, written as for recollect search')
    .option(
      '--limit <number>',
      `with words in --query: how many results (default: ${usual})`,
      integerInRange('--limit', minimum, maximum),
    )
    .option('--dry-run', 'only count what would be deleted')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA query of operators such as site: or before: deletes everything that matches. A query with words deletes its first\nresults. The trash keeps memories for 30 days.\n\nExamples:\n  recollect delete 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f\n  recollect delete --query "site:example.org before:2025-01" --dry-run',
    )
    .action(remove);
};

async function remove(ids: string[], { query, limit, dryRun = false, json }: Options): Promise<void> {
  if (ids.length > 0 === (query !== undefined)) throw new InvalidOptionError('Pass either memory ids or --query.');
  if (query?.trim() === '') throw new InvalidOptionError('--query must not be blank. It would match every memory.');
  if (query === undefined && limit !== undefined) throw new InvalidOptionError('--limit requires --query.');
  await withRecollect(async (recollect) => {
    const selection = query === undefined ? { ids: await selectKnown(recollect, ids) } : { query, limit };
    // Load the model first: loading would otherwise count toward the query's time limit.
    if (query !== undefined) await recollect.warmUp().catch(() => {});
    const body: ChangeBody = { ...selection, delete: true, dryRun };
    const { matched, changed, changeId } = await recollect.core.bulk.change(LOCAL_USER, body, COMMAND_LINE);
    if (json) return printJson({ matched, changed, changeId });
    if (matched === 0) return print('No memories found. Nothing was deleted.');
    if (dryRun) return print(`${count(matched, 'memory', 'memories')} would be moved to the trash.`);
    print(`${count(changed, 'memory', 'memories')} moved to the trash.`);
    if (changeId !== null) print(undoAdvice(changeId));
  });
}

/** The ids of memories that exist. Reports the others. */
function selectKnown({ core }: Recollect, ids: readonly string[]): Promise<string[]> {
  return forEachId(ids, async (id) => (await withAdvice(core.memories.get(LOCAL_USER, id), adviseMemoryId)).id);
}
