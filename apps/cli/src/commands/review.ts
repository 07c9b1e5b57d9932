import type { ReviewedHighlight } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import type { ReviewDecision } from '@recollect/contract/vocabulary';
import type { CallOperation } from '../executor/executor.js';
import { print, printJson, style } from '../terminal/output.js';
import { type AddCommand, InvalidOptionError, withExecutor } from './command.js';
import { formatHighlight } from './highlights.js';

interface Options {
  keep?: string;
  dismiss?: string;
  undo?: string;
  json?: boolean;
}

export const addReview: AddCommand = (program) => {
  program
    .command('review')
    .description('show the passages of other days to see again today, and keep or dismiss them')
    .option('--keep <numbers>', 'see these again on a later day: numbers of the list such as 1,3, or all')
    .option('--dismiss <numbers>', 'offer these no more; the highlights stay')
    .option('--undo <numbers>', 'take the decisions of today on these back')
    .option('--json', 'print JSON')
    .action(review);
};

async function review({ json, ...options }: Options): Promise<void> {
  await withExecutor(async ({ call }) => {
    const { highlights } = await call('highlightsToReview', { query: {} });
    await decide(call, highlights, options);
    const hasChanged = Object.keys(options).length > 0;
    const shown = hasChanged ? (await call('highlightsToReview', { query: {} })).highlights : highlights;
    if (json) return printJson({ highlights: shown });
    if (shown.length === 0) return print('No passage to review today. Mark some in the web app: recollect open');
    for (const [at, highlight] of shown.entries()) print(`${formatNumbered(highlight, at + 1)}\n`);
    const left = shown.filter(({ decision }) => decision === null).length;
    print(left === 0 ? 'Done for today.' : `${count(left, 'passage')} left. Decide with --keep or --dismiss.`);
  });
}

async function decide(
  call: CallOperation,
  highlights: readonly ReviewedHighlight[],
  { keep, dismiss, undo }: Options,
): Promise<void> {
  const wanted: [numbers: string | undefined, name: string, decision: ReviewDecision | null][] = [
    [keep, '--keep', 'keep'],
    [dismiss, '--dismiss', 'dismiss'],
    [undo, '--undo', null],
  ];
  // All numbers are read before the first decision is kept.
  const decisions = wanted.flatMap(([numbers, name, decision]) =>
    numbers === undefined ? [] : readNumbers(numbers, name, highlights).map(({ id }) => ({ id, decision })),
  );
  if (new Set(decisions.map(({ id }) => id)).size < decisions.length)
    throw new InvalidOptionError('Name each passage once.');
  for (const { id, decision } of decisions) await call('reviewHighlight', { parameters: { id }, body: { decision } });
}

function readNumbers(
  text: string,
  name: string,
  highlights: readonly ReviewedHighlight[],
): readonly ReviewedHighlight[] {
  if (text === 'all') return highlights;
  return text.split(',').map((part) => {
    const highlight = /^\s*\d+\s*$/.test(part) ? highlights[Number(part) - 1] : undefined;
    if (highlight !== undefined) return highlight;
    const allowed = highlights.length === 0 ? 'Today has no passages.' : `Today has 1 to ${highlights.length}.`;
    throw new InvalidOptionError(`${name} must have numbers of the list, such as 1,3, or all. ${allowed}`);
  });
}

const DECIDED = { keep: 'kept', dismiss: 'dismissed' } as const;

function formatNumbered(highlight: ReviewedHighlight, number: number): string {
  const { decision } = highlight;
  const decided = decision === null ? '' : ` ${style('green', DECIDED[decision])}`;
  return `${number}.${decided} ${formatHighlight(highlight, '')}`;
}
