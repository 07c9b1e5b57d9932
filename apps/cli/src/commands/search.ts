import type { QueryResult } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { markMatches } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import { inert, print, printJson, style } from '../terminal/output.js';
import { type AddCommand, integerInRange, withRecollect } from './command.js';
import { addFilterOptions, type FilterOptions, toFilter } from './filter-options.js';

const { minimum, maximum } = limits.query.results;

export const addSearch: AddCommand = (program) => {
  const command = program
    .command('search')
    .description('find memories by meaning or by word')
    .argument('<text...>', 'a question or words; filter with site:, source:, tag:, by:, before: and after:')
    .option('--limit <number>', 'maximum number of results (default: 10)', integerInRange('--limit', minimum, maximum))
    .option('--json', 'print JSON');
  addFilterOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  recollect search how hot should the water be\n  recollect search "tag:project after:2026-01 deadline"',
    )
    .action((words: string[], options: FilterOptions & { limit?: number; json?: boolean }) =>
      search(words.join(' '), options),
    );
};

async function search(text: string, options: FilterOptions & { limit?: number; json?: boolean }): Promise<void> {
  await withRecollect(async ({ core, warmUp }) => {
    const { limit } = options;
    // Load the model first, as a server has done: loading would otherwise count toward the query's time limit.
    await warmUp().catch(() => {});
    const { answer, isDegraded } = await core.query(LOCAL_USER, text, {
      filter: toFilter(options),
      limit,
    });
    if (options.json) printJson(answer);
    else if (answer.results.length === 0) print('No memories found.');
    else for (const result of answer.results) print(`${describe(result, text)}\n`);
    if (isDegraded) {
      process.stderr.write('The embedding model did not respond. Only full text was searched.\n');
    }
  });
}

function describe({ title, url, sourceType, excerpt, score, id }: QueryResult, query: string): string {
  const source = inert(url ?? sourceType);
  return [
    `${style('bold', inert(title))} ${style('dim', score.toFixed(2))}`,
    ...(excerpt === title ? [] : [`  ${highlight(inert(excerpt), query)}`]),
    `  ${style('cyan', source)} ${style('dim', id)}`,
  ].join('\n');
}

/** An excerpt with the words of the query in colour. */
function highlight(excerpt: string, query: string): string {
  return markMatches(excerpt, query)
    .map(({ text, isMatch }) => (isMatch ? style('yellow', text) : text))
    .join('');
}
