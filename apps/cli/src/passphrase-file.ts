import { readFile, stat } from 'node:fs/promises';
import { RecollectError } from '@recollect/core';

/**
 * Reads the first line of the passphrase file, in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it.
 * Throws BACKUP_FAILED if it cannot be read, is empty, or is not text.
 */
export async function readPassphraseFile(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
    await warnIfReadable(path);
  } catch (cause) {
    throw new RecollectError(
      'BACKUP_FAILED',
      `The passphrase file ${path} cannot be read. Check RECOLLECT_BACKUP_PASSPHRASE_FILE and the permissions of the file.`,
      { cause },
    );
  }
  const passphrase = firstLine(decode(bytes) ?? '\0');
  if (passphrase.includes('\0'))
    throw new RecollectError(
      'BACKUP_FAILED',
      `The passphrase file ${path} is not text in UTF-8. Save it as UTF-8: what it seems to say is not what would be used.`,
    );
  if (passphrase !== '') return passphrase;
  throw new RecollectError('BACKUP_FAILED', `The first line of ${path} is empty. Write the passphrase there.`);
}

const warned = new Set<string>();

/** Says once that other accounts can read the file. Windows has no such modes. */
async function warnIfReadable(path: string): Promise<void> {
  if (process.platform === 'win32' || warned.has(path) || ((await stat(path)).mode & 0o077) === 0) return;
  warned.add(path);
  process.stderr.write(`Other accounts can read the passphrase file ${path}. Run: chmod 600 ${path}\n`);
}

/**
 * Reads the passphrase as earlier versions did, with a byte order mark as part of it. Backups may have been encrypted
 * with that.
 */
export async function readPreviousPassphrase(path: string): Promise<string> {
  return firstLine(await readFile(path, 'utf8'));
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/\r$/, '');
}

/** Null if the bytes are in another encoding. A byte order mark is not part of the text. */
function decode(bytes: Buffer): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  // Only the first line counts.
  const end = encoding === 'utf-8' ? bytes.indexOf('\n') : -1;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(end < 0 ? bytes : bytes.subarray(0, end));
  } catch {
    return null;
  }
}
