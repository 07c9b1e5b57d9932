import type { Stats } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { RecollectError } from '@recollect/core';
import type { NamedBackup } from './file-name.js';
import { freePath } from './free-path.js';

/**
 * The path of a backup for a file or folder that the user has named. A folder is one that exists, or a name that ends
 * in a slash. Throws BACKUP_FAILED if its folder does not exist, or if the file exists and is not to be replaced. A
 * file of the store is never replaced.
 */
export async function resolveTarget(
  given: string,
  named: NamedBackup,
  { replaces, dataFolder }: { replaces: boolean; dataFolder: string },
): Promise<string> {
  const path = resolve(given);
  const facts = await stat(path).catch(() => null);
  const isFolder = facts?.isDirectory() || (facts === null && /[\\/]$/.test(given));
  if (isFolder) {
    await mkdir(path, { recursive: true });
    return freePath(path, named);
  }
  if (facts !== null) await checkReplaceable(path, facts, { replaces, dataFolder });
  const folder = dirname(path);
  if ((await stat(folder).catch(() => null))?.isDirectory()) return path;
  throw new RecollectError('BACKUP_FAILED', `The folder ${folder} does not exist. Create it, or choose another one.`);
}

/** The beginning of the names of the store and of the files beside it. */
const STORE = 'recollect.db';

/** Throws BACKUP_FAILED unless a file that exists may be replaced. */
async function checkReplaceable(
  path: string,
  facts: Stats,
  { replaces, dataFolder }: { replaces: boolean; dataFolder: string },
): Promise<void> {
  const names = await readdir(dataFolder).catch(() => []);
  for (const name of names.filter((file) => file.startsWith(STORE))) {
    const own = await stat(join(dataFolder, name)).catch(() => null);
    if (own?.ino === facts.ino && own.dev === facts.dev)
      throw new RecollectError(
        'BACKUP_FAILED',
        `${path} belongs to the store. It was not changed. Choose another name.`,
      );
  }
  if (replaces && facts.isFile()) return;
  const way = facts.isFile() ? 'Choose another name, or add --force to replace it.' : 'Choose another name.';
  throw new RecollectError('BACKUP_FAILED', `${path} already exists. It was not changed. ${way}`);
}
