import type { QueryResult } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { LOCAL_USER } from '@recollect/core';
import { inert, print, printJson, style } from '../terminal/output.js';
import { type AddCommand, wholeNumber, withRecollect } from './command.js';
import { addFilterOptions, type FilterOptions, toFilter } from './filter-options.js';

const { minimum, maximum } = limits.query.results;

export const addSearch: AddCommand = (program) => {
  const command = program
    .command('search')
    .description('find memories by meaning or by word')
    .argument('<text...>', 'a question or words; site:, source:, tag:, before: and after: narrow it')
    .option('--limit <number>', 'how many (10 when missing)', wholeNumber('--limit', minimum, maximum))
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
    // A server has its model loaded; here that would count against the time that a query may take.
    await warmUp().catch(() => {});
    const { answer, isDegraded } = await core.query(LOCAL_USER, text, {
      filter: toFilter(options),
      limit,
    });
    if (options.json) printJson(answer);
    else if (answer.results.length === 0) print('Nothing was found.');
    else for (const result of answer.results) print(`${describe(result, text)}\n`);
    if (isDegraded) {
      process.stderr.write('The embedding model did not answer; this is by word alone.\n');
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

/** The words of the query in colour where an excerpt has them. */
function highlight(excerpt: string, query: string): string {
  const words = (query.match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.toLowerCase());
  return excerpt.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) =>
    words.some((wanted) => word.toLowerCase().startsWith(wanted.slice(0, Math.max(4, wanted.length - 2))))
      ? style('yellow', word)
      : word,
  );
}
