import type { SearchTest } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { inert, print, printJson, style } from '../../terminal/output.js';
import { type AddCommand, withExecutor } from '../command.js';
import { compareModels } from './compare-models.js';
import { MADE_OF, NOTHING_TO_ASK, share } from './search-test-terms.js';

export const addDoctorSearch: AddCommand = (doctor) => {
  doctor
    .command('search')
    .description('ask questions made from your own memories, and count how many of them search finds')
    .option(
      '--model <model>',
      'compare the present model with another one: english, multilingual, or a folder as RECOLLECT_MODEL names it',
    )
    .option('--json', 'print JSON')
    .action((_options, command) => testSearch(command.optsWithGlobals()));
};

async function testSearch({ json = false, model }: { json?: boolean; model?: string }): Promise<void> {
  if (model !== undefined) return compareModels(model, json);
  await withExecutor(async ({ call }) => {
    const result = await call('testSearch', {});
    if (json) printJson(result);
    else printTest(result);
  });
}

function printTest({ model, queries, kinds }: SearchTest): void {
  if (queries === 0) {
    print(NOTHING_TO_ASK);
    return;
  }
  print(`${count(queries, 'question')} made from your memories, ${model ?? 'by words only, without a model'}:\n`);
  for (const { kind, queries: asked, first, inTen } of kinds)
    print(
      `${MADE_OF[kind].padEnd(20)} ${String(asked).padStart(3)} asked, ${share(first, asked)} found first, ${share(inTen, asked)} among the first ten`,
    );
  const missed = kinds.flatMap((kind) => kind.missed);
  if (missed.length === 0) return;
  print(`\n${style('bold', 'Not among the first ten')}`);
  for (const { query, title, id } of missed) print(`${inert(query)}\n  ${inert(title)} ${style('dim', id)}`);
}
