import type { SavedSearch } from '@recollect/contract';
import { tagKey } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import type { CallOperation } from '../executor/executor.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { printTable } from '../terminal/print.js';
import { type AddCommand, withExecutor } from './command.js';

export const addSearches: AddCommand = (program) => {
  const searches = program
    .command('searches')
    .description('list, save, rename and remove saved searches')
    .option('--json', 'print JSON')
    .action(list);
  searches
    .command('save')
    .description('save a search under a name')
    .argument('<name>', 'the name, in quotation marks if it has several words')
    .argument('<query...>', 'words and operators, such as is:unread')
    .option('--json', 'print JSON')
    .action(save);
  searches
    .command('rename')
    .description('give a saved search another name')
    .argument('<name>', 'the present name')
    .argument('<to>', 'the new name')
    .option('--json', 'print JSON')
    .action(rename);
  searches
    .command('remove')
    .description('remove a saved search; the memories are kept')
    .argument('<name>', 'the name')
    .option('--json', 'print JSON')
    .action(remove);
};

/** The saved search with a name, without regard to case. Throws NOT_FOUND, and names those that there are. */
export async function findSavedSearch(call: CallOperation, name: string): Promise<SavedSearch> {
  const { savedSearches } = await call('listSavedSearches', {});
  const savedSearch = savedSearches.find((search) => tagKey(search.name) === tagKey(name.trim()));
  if (savedSearch !== undefined) return savedSearch;
  const names = savedSearches.map((search) => search.name).join(', ');
  const advice = names === '' ? 'Save one with: recollect searches save NAME QUERY' : `There are: ${names}.`;
  throw new RecollectError('NOT_FOUND', `There is no saved search called ${name}. ${advice}`);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const answer = await call('listSavedSearches', {});
    if (json) return printJson(answer);
    if (answer.savedSearches.length === 0)
      return print('There are no saved searches. Save one with: recollect searches save NAME QUERY');
    printTable(
      [{ title: 'name', width: 24 }, { title: 'query' }],
      answer.savedSearches.map(({ name, query }) => [name, query]),
    );
  });
}

async function save(name: string, words: string[], { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const saved = await call('createSavedSearch', { body: { name, query: words.join(' ') } });
    if (json) return printJson(saved);
    print(`${style('green', 'Saved')} ${inert(saved.name)}`);
    print(`Run it with: recollect search --saved '${inert(saved.name)}'`);
  });
}

async function rename(name: string, to: string, { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const { id } = await findSavedSearch(call, name);
    const renamed = await call('updateSavedSearch', { parameters: { id }, body: { name: to } });
    if (json) return printJson(renamed);
    print(`${style('green', 'Renamed')} to ${inert(renamed.name)}`);
  });
}

async function remove(name: string, { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const savedSearch = await findSavedSearch(call, name);
    await call('deleteSavedSearch', { parameters: { id: savedSearch.id } });
    if (json) return printJson({ removed: savedSearch.id });
    print(`${style('green', 'Removed')} ${inert(savedSearch.name)}, which was: ${inert(savedSearch.query)}`);
  });
}
