import { basename } from 'node:path';
import type { Restored } from '@recollect/contract';
import { type BackupRestorer, RecollectError } from '@recollect/core';
import { type Configuration, databaseIn } from '../../config.js';
import { type Candidate, findCandidate, type Search } from './find-candidate.js';

type Replacement = Search['replacement'];

/**
 * Restores backups in a server: checks them while it runs, and leaves the replacement to {@link restoreStore}, which
 * needs the store for itself.
 *
 * @param onRestore called with the path of a backup that has passed its check, with which the server starts again
 */
export function createBackupRestorer(
  configuration: Configuration,
  onRestore: (path: string) => void,
  last: Restored | null,
): BackupRestorer {
  const check = <Done>(
    path: string,
    signal: AbortSignal,
    work: (candidate: Candidate, replacement: Replacement) => Promise<Done>,
  ) => withCandidate(configuration, { path, signal, onlyCompares: true }, work);
  return {
    last,
    preview: ({ path }, signal) =>
      check(path, signal, async ({ memories, bytes }, replacement) => {
        return { memories, bytes, difference: await replacement.compare(signal) };
      }),
    async restore({ path }, signal) {
      await check(path, signal, async () => {});
      onRestore(path);
    },
  };
}

/** Replaces the store, which no process may have open, by a backup. Reports a failure instead of throwing it. */
export async function restoreStore(configuration: Configuration, path: string): Promise<Restored> {
  const restored = { name: basename(path), at: new Date().toISOString(), replaced: null, problem: null };
  const { signal } = new AbortController();
  try {
    return await withCandidate(configuration, { path, signal, onlyCompares: false }, async ({ model }, replacement) => {
      const replaced = await replacement.commit(new Date());
      const { openRestorer } = await import('../../compose/repair.js');
      const note = ({ message }: Error) => process.stderr.write(`The model was not written down: ${message}\n`);
      await openRestorer(configuration).keepModel(model).catch(note);
      return { ...restored, replaced };
    });
  } catch (error) {
    const problem = error instanceof RecollectError ? error.message : `The restore failed: ${(error as Error).message}`;
    process.stderr.write(`${problem}\n`);
    return { ...restored, problem };
  }
}

/**
 * Says what to do when the server cannot start after a restore.
 *
 * @example
 * adviseAfterRestore({ name: 'a.db', at: '', replaced: null, problem: 'The store is in use.' });
 */
export function adviseAfterRestore({ name, replaced, problem }: Restored): string {
  const other = 'recollect restore --list shows the backups, and recollect restore FILE restores one of them.';
  if (problem !== null) return `Recollect could not start again after the restore of ${name} failed. ${other}`;
  const back =
    replaced === null ? '' : ` To go back to the former store, run recollect restore ${databaseIn(replaced)}.`;
  return `Recollect could not start with the backup ${name}, and has stopped.${back} ${other}`;
}

async function withCandidate<Done>(
  configuration: Configuration,
  { path, signal, onlyCompares }: { path: string; signal: AbortSignal; onlyCompares: boolean },
  work: (candidate: Candidate, replacement: Replacement) => Promise<Done>,
): Promise<Done> {
  const { openRestorer } = await import('../../compose/repair.js');
  const restorer = openRestorer(configuration);
  const replacement = await restorer.open({ onlyCompares });
  try {
    const search = { file: path, restorer, replacement, configuration, signal, mayAsk: false };
    return await work(await findCandidate(search), replacement);
  } finally {
    await replacement.close();
  }
}
