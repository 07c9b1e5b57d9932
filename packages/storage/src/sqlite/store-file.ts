import { chmod, mkdir, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreRefusedError } from '../store-refused-error.js';

/** Files that other parts of Recollect keep beside a store. */
const OURS = ['backups', 'plugins', 'server.json', 'last-results.json', 'model.json', 'update-check.json'];
/** The folders of stores that a restore has moved aside. */
const MOVED_ASIDE = /^replaced-\d/;

/** SQLite's name for a database without a file. */
export const MEMORY = ':memory:';

/** The file path in a store URL. */
export function pathOf(url: string): string {
  if (url.startsWith('file:')) return fileURLToPath(url);
  const path = url.slice('sqlite:'.length);
  return path === MEMORY ? path : resolve(path);
}

/** Resolves links, as SQLite does: it keeps the WAL beside the target file. */
export async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const target = await readlink(path).catch(() => null);
  if (target !== null) return followLinks(resolve(dirname(path), target));
  const folder = dirname(path);
  return folder === path ? path : join(await followLinks(folder), basename(path));
}

/**
 * Gives only the user access to the folder and the file (SEC-7). SQLite gives its -wal and -shm files the same mode. A
 * folder that also contains other files keeps its mode, because it is not Recollect's own; throws StoreRefusedError if
 * every account can write to it.
 */
export async function prepareFile(path: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const areOurs = (await readdir(folder)).every((name) => isOurs(path, name));
  if (areOurs) await chmod(folder, 0o700);
  else if (await isOpenToAll(folder)) throw new StoreRefusedError('open-folder');
  try {
    await (await open(path, 'ax', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // By path, because closing a descriptor would release the locks of this process's other connections.
  await chmod(path, 0o600);
}

/** Whether every account can write to a folder. Windows has no such modes. */
async function isOpenToAll(folder: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(folder)).mode & 0o002) !== 0;
}

/** Whether an entry of the store's folder is Recollect's own. */
export function isOurs(path: string, name: string): boolean {
  return name.startsWith(basename(path)) || OURS.includes(name) || MOVED_ASIDE.test(name);
}

/** Creates level by level, because Node's recursive `mkdir` never returns for a path under, for example, /proc. */
export async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}
