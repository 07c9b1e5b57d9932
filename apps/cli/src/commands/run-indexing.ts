import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '@recollect/contract/text';
import type { Recollect } from '../compose.js';
import { removeFormerEmbeddings } from '../remove-former-embeddings.js';
import { runIndexing } from '../run-indexing.js';
import { print, printJson } from '../terminal/output.js';
import { type AddCommand, withRecollect } from './command.js';
import { stopSignal } from './stop-signal.js';

/** Milliseconds between two checks of `--watch`. */
const PAUSE = 5_000;

export const addRunIndexing: AddCommand = (program) => {
  program
    .command('jobs:run-indexing')
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
  const advice = isNews ? await removeFormerEmbeddings(recollect, signal) : null;
  const isFailure = status === 'failed' || status === 'blocked';
  if (isFailure) process.exitCode = 1;
  const state = isFailure ? message : '';
  if (processed === 0 && before !== null && (state === before || state === '')) return state;
  if (json) printJson({ processed, remaining, status, message });
  else print(`${count(processed, 'memory', 'memories')} embedded. ${message}${advice === null ? '' : ` ${advice}`}`);
  return state;
}
