import { link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type CopyStore, RecollectError, type StoreCopy } from '@recollect/core';
import { runAge } from './age/run-age.js';
import { withPartialFile } from './partial-files.js';

/** Error codes of file systems that cannot sync folders, such as some network and virtual machine file systems. */
const UNSUPPORTED = ['EINVAL', 'ENOTSUP', 'EPERM', 'ENOSYS', 'EISDIR'];

/**
 * Makes the names in a folder durable, if its file system can. Windows does this itself, and opens no folders.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!UNSUPPORTED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

export interface WriteOptions {
  copy: CopyStore;
  /** The finished file. It must not exist, unless it is to be replaced. */
  target: string;
  replaces?: boolean | undefined;
  /** Finds another name if a backup of another process has taken the target's in the meantime. */
  findTarget?: (() => Promise<string>) | undefined;
  /** The folder of the store. Unencrypted data is written there, since the target may be on another machine. */
  dataFolder: string;
  /** Null: the backup is not encrypted. */
  passphrase: string | null;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a backup: under a temporary name, checked, synced, and renamed when it is complete. Returns its path and facts
 * about the copy. Throws BACKUP_FAILED, and then leaves nothing behind.
 */
export async function writeBackup(options: WriteOptions): Promise<StoreCopy & { path: string }> {
  const { copy, target, replaces = false, findTarget, dataFolder, passphrase, signal } = options;
  const plainPath = join(dataFolder, `recollect.db-backup-${basename(target)}`);
  try {
    return await withPartialFile(target, async (partial) => {
      const written =
        passphrase === null
          ? await copy(partial, { signal })
          : await withPartialFile(plainPath, async (plain) =>
              encrypt(await copy(plain, { signal }), { plain, partial, passphrase, signal }),
            );
      for (let path = target; ; ) {
        try {
          await publish(partial, path, replaces);
          return { ...written, path };
        } catch (error) {
          if (findTarget === undefined || (error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
          path = await findTarget();
        }
      }
    });
  } catch (error) {
    throw explain(error, dirname(target));
  }
}

interface Encryption {
  plain: string;
  partial: string;
  passphrase: string;
  signal: AbortSignal | undefined;
}

/** Encrypts a copy, then decrypts the result and compares it with the copy. */
async function encrypt(made: StoreCopy, { plain, partial, passphrase, signal }: Encryption): Promise<StoreCopy> {
  const given = { passphrase, isBackground: true };
  const encrypted = await runAge({ direction: 'encrypt', source: plain, target: partial, ...given }, signal);
  if (encrypted.outcome !== 'done') throw failure('encrypted', encrypted);
  const decrypted = await runAge({ direction: 'decrypt', source: partial, target: null, ...given }, signal);
  if (decrypted.outcome !== 'done') throw failure('checked', decrypted);
  if (decrypted.sha256 !== made.sha256)
    throw new RecollectError('BACKUP_FAILED', 'The encrypted backup did not pass its check, so it was discarded.');
  return { ...made, bytes: encrypted.bytes, sha256: encrypted.sha256 };
}

function failure(step: string, result: { outcome: string; message?: string; code?: string }): Error {
  const error = new Error(`The backup could not be ${step}: ${result.message ?? result.outcome}.`);
  return Object.assign(error, { code: result.code });
}

/** Gives a finished file its name, without replacing a file that has it unless that is wanted. */
async function publish(partial: string, target: string, replaces: boolean): Promise<void> {
  if (replaces) {
    await rename(partial, target);
    await syncFolder(dirname(target));
    return;
  }
  try {
    await link(partial, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Some file systems have no links.
    if ((await stat(target).catch(() => null)) !== null) throw Object.assign(new Error(), { code: 'EEXIST' });
    await rename(partial, target);
  }
  try {
    await rm(partial, { force: true });
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(target, { force: true }).catch(() => {});
    throw error;
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  EEXIST: 'A file with the name of the backup already exists. It was not changed. Choose another name.',
  ENOSPC: 'The disk is full. Free some space, or choose a folder on another disk.',
  EACCES: 'This account may not write there. Change the permissions of the folder, or choose another one.',
  EPERM: 'This account may not write there. Change the permissions of the folder, or choose another one.',
  EROFS: 'It is on a read-only file system. Choose another folder.',
  ENOENT: 'The folder is missing. Create it, or choose another one.',
  ENOTDIR: 'A part of its path is a file. Choose another folder.',
  ABORT_ERR: 'The backup was stopped.',
};

/** The error of a backup in words. Errors that already say what to do stay unchanged. */
export function explain(error: unknown, folder: string): RecollectError {
  if (error instanceof RecollectError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const cause = CAUSES[code] ?? message;
  return new RecollectError('BACKUP_FAILED', `The backup could not be written to ${folder}. ${cause}`, {
    cause: error,
  });
}
