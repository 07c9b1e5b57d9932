import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The working folders of restores stand beside the store. Their names begin with its name and this. */
const ENDING = '-restoring-';

/** Creates a working folder for a restore. */
export async function createStaging(path: string): Promise<string> {
  return await mkdtemp(`${path}${ENDING}`);
}

/** The working folders of restores. While no restore holds the store's lock, they are left over from killed ones. */
export async function findStaging(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  return names.filter((name) => name.startsWith(basename(path) + ENDING)).map((name) => join(dirname(path), name));
}

/**
 * Removes the files of killed restores, which may include a decrypted backup. The caller must hold the store's lock.
 */
export async function removeStaging(path: string): Promise<void> {
  for (const folder of await findStaging(path)) await rm(folder, { recursive: true, force: true });
}
