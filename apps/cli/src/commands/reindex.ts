import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import type { Recollect } from '../compose/open-recollect.js';
import { removePreviousEmbeddings, runIndexing } from '../run-indexing.js';
import { print, printJson } from '../terminal/output.js';
import { type AddCommand, integerInRange, stopSignal, withRecollect } from './command.js';

/** Milliseconds between two checks of `--watch`. */
const PAUSE = 5_000;

export const addRunIndexing: AddCommand = (program) => {
  program
    .command('jobs:run-indexing', { hidden: true })
    .description('process queued indexing jobs, for cron or another scheduler')
    .option('--watch', 'keep running until stopped')
    .option('--json', 'print JSON')
    .action(run);
};

async function run({ watch, json }: { watch?: boolean; json?: boolean }): Promise<void> {
  const signal = stopSignal();
  await withRecollect(async (recollect) => {
    if (!watch) return void (await runOnce(recollect, signal, json === true, null));
    if (!json) print('Watching for memories that lack embeddings. Press Ctrl-C to stop.');
    let state = '';
    while (!signal.aborted) {
      process.exitCode = 0;
      state = await runOnce(recollect, signal, json === true, state);
      await sleep(PAUSE, undefined, { signal }).catch(() => {});
    }
  });
}

/**
 * Runs what is queued, and prints what became of it.
 *
 * @param before the state that was printed last: the same with nothing done is not printed again. Null to print any
 * @returns the state now
 */
async function runOnce(
  recollect: Recollect,
  signal: AbortSignal,
  json: boolean,
  before: string | null,
): Promise<string> {
  const { processed, remaining, status, message } = await runIndexing(recollect, { isQuiet: json, signal });
  const isNews = status === 'completed' && processed > 0;
  const advice = isNews ? await removePreviousEmbeddings(recollect, signal) : null;
  const isFailure = status === 'failed' || status === 'blocked';
  if (isFailure) process.exitCode = 1;
  const state = isFailure ? message : '';
  if (processed === 0 && before !== null && (state === before || state === '')) return state;
  if (json) printJson({ processed, remaining, status, message });
  else print(`${count(processed, 'memory', 'memories')} embedded. ${message}${advice === null ? '' : ` ${advice}`}`);
  return state;
}

const { minimum, maximum } = limits.reindex.batch;

export const addReindex: AddCommand = (program) => {
  program
    .command('reindex')
    .description('make missing embeddings, for example after changing the model')
    .option('--batch-size <number>', 'memories per batch', integerInRange('--batch-size', minimum, maximum))
    .option('--json', 'print JSON')
    .action(reindex);
};

async function reindex({ batchSize, json }: { batchSize?: number; json?: boolean }): Promise<void> {
  await withRecollect(async (recollect) => {
    const signal = stopSignal();
    const summary = await runIndexing(recollect, { isQuiet: json === true, batchSize, signal });
    const advice = summary.status === 'completed' ? await removePreviousEmbeddings(recollect, signal) : null;
    const isStopped = signal.aborted && summary.status === 'pending';
    const sentence = isStopped ? 'Stopped. Run the command again to embed the rest.' : summary.message;
    const message = advice === null ? sentence : `${sentence} ${advice}`;
    if (json) printJson({ ...summary, message });
    else print(`${count(summary.processed, 'memory', 'memories')} embedded. ${message}`);
    if (summary.status === 'failed' || summary.status === 'blocked' || isStopped) process.exitCode = 1;
  });
}
