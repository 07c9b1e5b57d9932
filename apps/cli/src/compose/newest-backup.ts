import { isAbsolute, relative } from 'node:path';
import { type FindNewestBackup, systemClock } from '@recollect/core';
import { listBackups } from '@recollect/storage/backups';
import type { Configuration } from '../config.js';

/** Finds the newest backup in a folder that passed its check. */
export function newestBackupIn(folder: string): FindNewestBackup {
  return async () => (await listBackups(folder, systemClock.now())).find(({ isVerified }) => isVerified) ?? null;
}

/** Whether the folder of a store has backups of it. A folder from the settings may have backups of another store. */
export async function wasBackedUp(
  { dataFolder, backups }: Pick<Configuration, 'dataFolder' | 'backups'>,
  newestBackup: FindNewestBackup,
): Promise<boolean> {
  if (!isInside(backups.folder, dataFolder)) return false;
  return (await newestBackup().catch(() => null)) !== null;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
