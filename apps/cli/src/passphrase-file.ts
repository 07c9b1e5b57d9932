import { readFile } from 'node:fs/promises';
import { RecollectError } from '@recollect/core';

/**
 * Reads the first line of the passphrase file, in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it. Throws
 * BACKUP_FAILED if it cannot be read, is empty, or is no text.
 */
export async function readPassphraseFile(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new RecollectError(
      'BACKUP_FAILED',
      `The passphrase file ${path} cannot be read. Check RECOLLECT_BACKUP_PASSPHRASE_FILE and the permissions of the file.`,
      { cause },
    );
  }
  const passphrase = (decode(bytes)?.split('\n')[0] ?? '\0').replace(/\r$/, '');
  if (passphrase.includes('\0'))
    throw new RecollectError(
      'BACKUP_FAILED',
      `The passphrase file ${path} is not text in UTF-8. Save it as UTF-8: what it seems to say is not what would be used.`,
    );
  if (passphrase !== '') return passphrase;
  throw new RecollectError('BACKUP_FAILED', `The first line of ${path} is empty. Write the passphrase there.`);
}

/** Null if the bytes are in another encoding. A byte order mark is no part of the text. */
function decode(bytes: Buffer): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
