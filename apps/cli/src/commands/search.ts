import type { QueryResult } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { isStrong, shownResults } from '@recollect/contract/shown-results';
import { count, describeRange, replaceWords } from '@recollect/contract/text';
import type { CallOperation } from '../executor/executor.js';
import { rememberResults } from '../memory-references.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { colourMatches } from '../terminal/print.js';
import { shownIds } from '../terminal/short-id.js';
import { type AddCommand, InvalidOptionError, integerInRange, numberInRange, withExecutor } from './command.js';
import { addFilterOptions, type FilterOptions, toOperators } from './filter-options.js';
import { findSavedSearch } from './searches.js';

const { minimum, maximum } = limits.query.results;
const { likelyScore } = limits.query;

interface SearchOptions extends FilterOptions {
  limit?: number;
  minScore?: number;
  asTyped?: boolean;
  careful?: boolean;
  saved?: string;
  json?: boolean;
}

export const addSearch: AddCommand = (program) => {
  const command = program
    .command('search')
    .description('find memories by meaning or by word')
    .argument(
      '[text...]',
      'a question or words; without them, the newest memories that a filter selects; filter with site:, source:, tag:, by:, before: and after:',
    )
    .option('--limit <number>', 'maximum number of results (default: 10)', integerInRange('--limit', minimum, maximum))
    .option(
      '--min-score <number>',
      `leave out results with a lower score, 0 to 1; those below ${likelyScore} are weaker matches`,
      numberInRange('--min-score', 0, 1),
    )
    .option('--as-typed', 'do not correct mistyped words, and do not take words such as "last week" as a time')
    .option(
      '--careful',
      'have a second model judge the ten best results of a short query, which takes up to 1.5 s longer',
    )
    .option('--saved <name>', 'run a saved search, with any words and filters added to it')
    .option('--json', 'print JSON');
  addFilterOptions(command).action((words: string[], options: SearchOptions) => search(words.join(' '), options));
};

async function search(words: string, options: SearchOptions): Promise<void> {
  const { json, limit, minScore, asTyped, careful, saved } = options;
  const typed = [words, ...toOperators(options)].join(' ').trim();
  if (typed === '' && saved === undefined)
    throw new InvalidOptionError('Type words to search for, or a filter such as --tag recipe.');
  await withExecutor(async ({ call }) => {
    const query = saved === undefined ? typed : `${(await findSavedSearch(call, saved)).query} ${typed}`.trim();
    const answer = await call('query', { body: { query, limit, minScore, asTyped, careful, prefix: false } });
    const { corrected, suggestion, interpreted } = answer;
    const shown = json ? answer.results : choose(answer.results, minScore);
    if (json) printJson(answer);
    else {
      if (corrected !== undefined) print(`Showing results for ${inert(corrected.to)}, not ${inert(corrected.from)}.\n`);
      if (suggestion !== undefined) print(`Did you mean ${inert(replaceWords(query, suggestion))}?\n`);
      if (interpreted !== undefined)
        print(`Saved ${describeRange(interpreted, 'en-GB')} only. With --as-typed, at any time.\n`);
      if (shown.length === 0) print(await explainNothing(call));
      else await list(shown, `${query} ${corrected?.to ?? ''}`);
    }
    for (const warning of answer.warnings ?? []) process.stderr.write(`${warning}\n`);
    if (shown.length === 0) process.exitCode = 1;
  });
}

/** Why there is nothing to show. */
async function explainNothing(call: CallOperation): Promise<string> {
  const { memories } = await call('status', {});
  return memories === 0
    ? 'Nothing is saved yet. To save a page, a file or a note: recollect help capture'
    : 'No matches.';
}

/** Results worth showing, unless the user has chosen a minimum score. */
function choose(results: readonly QueryResult[], minScore: number | undefined): readonly QueryResult[] {
  if (minScore !== undefined) return results;
  const { strong, weaker } = shownResults(results);
  return [...strong, ...weaker];
}

/** Prints the results, and keeps their order: the next command may name them `@1`, `@2` and so on. */
async function list(results: readonly QueryResult[], query: string): Promise<void> {
  const firstWeaker = results.findIndex((result) => !isStrong(result));
  const ids = shownIds(results.map(({ id }) => id));
  for (const [at, result] of results.entries()) {
    if (at === firstWeaker) print(`${style('bold', 'Weaker matches')}\n`);
    print(`${style('dim', `@${at + 1}`)} ${formatResult(result, query, ids[at] ?? '')}\n`);
  }
  await rememberResults(results);
}

function formatResult(
  { title, url, sourceType, excerpt, score, versions, similar, generatedBy }: QueryResult,
  query: string,
  shown: string,
): string {
  const source = inert(url ?? sourceType);
  const others = [
    ...(generatedBy === null ? [] : [`written by the plugin ${inert(generatedBy)}`]),
    ...(versions > 1 ? [`${versions} versions`] : []),
    ...(versions === 1 && similar.length > 0 ? [count(similar.length, 'similar copy', 'similar copies')] : []),
  ];
  return [
    `${style('bold', colourMatches(inert(title), query))} ${style('dim', score.toFixed(2))}`,
    ...(excerpt === title ? [] : [`  ${colourMatches(inert(excerpt), query)}`]),
    `  ${style('cyan', source)} ${style('dim', [shown, ...others].join(' '))}`,
  ].join('\n');
}
