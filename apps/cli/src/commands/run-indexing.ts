import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '@recollect/contract/text';
import type { Recollect } from '../compose.js';
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
    if (!watch) return runOnce(recollect, signal, json === true, true);
    if (!json) print('Watching for memories that lack embeddings. Press Ctrl-C to stop.');
    while (!signal.aborted) {
      await runOnce(recollect, signal, json === true, false);
      await sleep(PAUSE, undefined, { signal }).catch(() => {});
    }
  });
}

async function runOnce(
  recollect: Recollect,
  signal: AbortSignal,
  json: boolean,
  reportsNothing: boolean,
): Promise<void> {
  const { processed, remaining, status, message } = await runIndexing(recollect, { isQuiet: json, signal });
  if (status === 'completed' && processed > 0) await recollect.core.indexing.removeFormer({ signal });
  if (status === 'failed' || status === 'blocked') process.exitCode = 1;
  if (processed === 0 && !reportsNothing) return;
  if (json) printJson({ processed, remaining, status, message });
  else print(`${count(processed, 'memory', 'memories')} embedded. ${message}`);
}
