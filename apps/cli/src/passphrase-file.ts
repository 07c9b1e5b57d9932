import { readFile } from 'node:fs/promises';
import { RecollectError } from '@recollect/core';

/** Reads the first line of the passphrase file. Throws BACKUP_FAILED if it cannot be read or is empty. */
export async function readPassphraseFile(path: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new RecollectError(
      'BACKUP_FAILED',
      `The passphrase file ${path} cannot be read. Check RECOLLECT_BACKUP_PASSPHRASE_FILE and the permissions of the file.`,
      { cause },
    );
  }
  const passphrase = (text.split('\n')[0] ?? '').replace(/\r$/, '');
  if (passphrase !== '') return passphrase;
  throw new RecollectError('BACKUP_FAILED', `The first line of ${path} is empty. Write the passphrase there.`);
}
