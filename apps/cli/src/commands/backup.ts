import { count, formatBytes } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import { readConfiguration } from '../config.js';
import { askNewPassphrase } from '../terminal/ask-passphrase.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { type AddCommand, InvalidOptionError, stopSignal, withRecollect } from './command.js';

export const addBackup: AddCommand = (program) => {
  program
    .command('backup')
    .description('write a checked copy of the store, also while the server runs')
    .option('--out <path>', 'file or folder to write to (default: the folder of the backups)')
    .option('--force', 'replace the file that --out names')
    .option('--encrypt', 'encrypt with a passphrase, in the age format')
    .option('--json', 'print JSON')
    .action(backup);
};

interface BackupCommandOptions {
  out?: string;
  force?: boolean;
  encrypt?: boolean;
  json?: boolean;
}

async function backup({ out, force = false, encrypt = false, json = false }: BackupCommandOptions): Promise<void> {
  if (force && out === undefined) throw new InvalidOptionError('--force requires --out FILE.');
  const { leaveToOperator } = await import('../compose/operator-tasks.js');
  leaveToOperator(readConfiguration().databaseUrl, 'backup');
  const passphrase = await newPassphrase(encrypt);
  if (passphrase === null) return print('No backup was made.');
  const signal = stopSignal();
  await withRecollect(async ({ backups }) => {
    if (backups === null) throw new RecollectError('BACKUP_FAILED', 'The store is in memory, so it has no backups.');
    const made = await backups.create('manual', { signal, passphrase, out, replaces: force });
    // One elsewhere says nothing about the folder in which backups failed.
    if (out === undefined) await backups.saveFailure(null);
    const { path, bytes, sha256, memories, isEncrypted } = made;
    if (json) return printJson({ path, bytes, sha256, memories, isEncrypted });
    const kind = isEncrypted ? 'encrypted backup' : 'backup';
    print(`${style('green', 'Saved')} a checked ${kind} of ${count(memories ?? 0, 'memory', 'memories')}.`);
    print(`${style('dim', 'file:    ')}${inert(path)}, ${formatBytes(bytes, 'en')}`);
    print(`${style('dim', 'SHA-256: ')}${sha256}`);
  });
}

/** The passphrase that the user types. Undefined: the one of the passphrase file, if any. Null if the user cancels. */
async function newPassphrase(encrypt: boolean): Promise<string | undefined | null> {
  if (!encrypt || readConfiguration().backups.passphraseFile !== null) return undefined;
  if (process.stdin.isTTY) return askNewPassphrase();
  throw new InvalidOptionError(
    '--encrypt asks for a passphrase on the terminal. Without one, write it to a file and set RECOLLECT_BACKUP_PASSPHRASE_FILE.',
  );
}
