import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { RecollectError } from '@recollect/core';
import type { NamedBackup } from './file-name.js';
import { freePath } from './free-path.js';

/**
 * The path of a backup for a file or folder that the user has named. A folder is one that exists, or a name that ends in a
 * slash. Throws BACKUP_FAILED if the file exists, or if its folder does not.
 */
export async function resolveTarget(given: string, named: NamedBackup): Promise<string> {
  const path = resolve(given);
  const facts = await stat(path).catch(() => null);
  const isFolder = facts?.isDirectory() || (facts === null && /[\\/]$/.test(given));
  if (isFolder) {
    await mkdir(path, { recursive: true });
    return freePath(path, named);
  }
  if (facts !== null)
    throw new RecollectError('BACKUP_FAILED', `${path} already exists. It was not changed. Choose another name.`);
  const folder = dirname(path);
  if ((await stat(folder).catch(() => null))?.isDirectory()) return path;
  throw new RecollectError('BACKUP_FAILED', `The folder ${folder} does not exist. Create it, or choose another one.`);
}
