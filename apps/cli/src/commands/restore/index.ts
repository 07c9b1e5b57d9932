import { confirm, isCancel } from '@clack/prompts';
import { count, formatBytes } from '@recollect/contract/text';
import type { Comparison } from '../../compose/repair.js';
import { readConfiguration } from '../../config.js';
import { ago, inert, print, printJson, style } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError, stopSignal, throwIfStopped, unlessStopped } from '../command.js';

import { type Candidate, findCandidate, listBackups } from './find-candidate.js';

import { restoreMemory } from './restore-memory.js';

export const addRestore: AddCommand = (program) => {
  program
    .command('restore')
    .description('put a backup in the place of the store')
    .argument('[file]', 'a backup; without it, the newest good one')
    .option('--memory <id>', 'restore one memory alone, also while the server runs')
    .option('--list', 'list the backups')
    .option('--dry-run', 'check the backup, say what would change, and change nothing')
    .option('--yes', 'restore without asking')
    .option('--json', 'print JSON; requires --yes, --list, --memory or --dry-run')
    .action(restore);
};

interface RestoreOptions {
  memory?: string;
  list?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

async function restore(
  file: string | undefined,
  { memory, list = false, dryRun = false, yes = false, json = false }: RestoreOptions,
): Promise<void> {
  const configuration = readConfiguration();
  const { openRestorer } = await import('../../compose/repair.js');
  const restorer = openRestorer(configuration);
  const { folder } = configuration.backups;
  if (list) return listBackups(await restorer.list(), folder, json);
  if (memory !== undefined) {
    if (dryRun) throw new InvalidOptionError('--memory cannot be combined with --dry-run. The change can be undone.');
    return restoreMemory(memory, { restorer, configuration, file }, json);
  }
  if (json && !yes && !dryRun) throw unasked();
  const signal = stopSignal();
  const replacement = await restorer.open({ onlyCompares: dryRun });
  try {
    if (file === undefined && !yes && !json) {
      listBackups(await restorer.list(), folder, false);
      print('');
    }
    const candidate = await findCandidate({ file, restorer, replacement, configuration, signal }).catch((error) =>
      Promise.reject(unlessStopped(signal, error)),
    );
    const facts = { file: candidate.path, bytes: candidate.bytes, memories: candidate.memories };
    if (!json) printCandidate(candidate);
    const difference = yes && !dryRun ? null : await replacement.compare(signal);
    throwIfStopped(signal);
    if (dryRun && json) return printJson({ ...facts, difference, restored: false, replaced: null });
    if (!json && !(yes && !dryRun)) print(describeDifference(difference, replacement.exists));
    if (dryRun) return print('The backup is good. Nothing was changed.');
    if (!yes && !process.stdin.isTTY) throw unasked();
    if (!yes && !(await confirmReplacement(replacement.exists))) return print('Nothing was changed.');
    // From here on, the replacement is completed even if the user stops the command.
    const replaced = await replacement.commit(new Date());
    await restorer
      .keepModel(candidate.model)
      .catch(({ message }: Error) => process.stderr.write(`The model was not written down: ${message}\n`));
    if (json) return printJson({ ...facts, restored: true, replaced });
    print(`${style('green', 'Restored')} ${count(candidate.memories, 'memory', 'memories')}.`);
    if (replaced !== null) print(`The former data is in ${inert(replaced)}. Delete it when you no longer need it.`);
  } finally {
    await replacement.close();
  }
}

function unasked(): InvalidOptionError {
  return new InvalidOptionError('Nothing was changed. To restore without being asked, add --yes.');
}

function printCandidate({ path, at, bytes, memories, isEncrypted }: Candidate): void {
  const age = at === null ? '' : `, ${ago(at)}`;
  print(`${style('bold', inert(path))}${age}`);
  print(`${count(memories, 'memory', 'memories')}, ${formatBytes(bytes, 'en')}${isEncrypted ? ', encrypted' : ''}`);
}

/** The changes that a restore would make. */
function describeDifference(difference: Comparison | null, exists: boolean): string {
  if (!exists) return 'There is no store now.';
  if (difference === null) return 'The present store cannot be read, so it is not compared with the backup.';
  const { store, onlyInBackup, onlyInStore, changed } = difference;
  return [
    `The present store has ${count(store, 'memory', 'memories')}, those in the trash included.`,
    `Only the backup has ${count(onlyInBackup, 'memory', 'memories')}, which would come back.`,
    `Only the store has ${count(onlyInStore, 'memory', 'memories')}, which would be gone from it.`,
    ...(changed === 0 ? [] : [`Both have ${count(changed, 'memory', 'memories')} that changed since.`]),
  ].join('\n');
}

async function confirmReplacement(exists: boolean): Promise<boolean> {
  const rest = exists ? ' The present store is kept in a folder beside it.' : '';
  const answer = await confirm({
    message: `Restore this backup?${rest}`,
    initialValue: false,
    output: process.stderr,
  });
  return !isCancel(answer) && answer;
}
