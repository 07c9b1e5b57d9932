import { chmod, mkdir, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What SQLite calls a database without a file. */
export const MEMORY = ':memory:';

/** The path that an address of a store names. */
export function pathOf(url: string): string {
  if (url.startsWith('file:')) return fileURLToPath(url);
  const path = url.slice('sqlite:'.length);
  return path === MEMORY ? path : resolve(path);
}

/** The file that a path stands for: SQLite follows links, and keeps the WAL beside the file that they lead to. */
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
 * The folder and the file are the user's alone (SEC-7); SQLite gives its -wal and -shm files the same mode. A folder that
 * holds other things too keeps its mode: it is not ours to close.
 */
export async function prepareFile(path: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const isOurs = (await readdir(folder)).every((name) => name.startsWith(basename(path)));
  if (isOurs) await chmod(folder, 0o700);
  try {
    await (await open(path, 'ax', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // By its path: closing a descriptor would take away the locks that other connections of this process hold.
  await chmod(path, 0o600);
}

/** Level by level: asked to make all of them under a path such as /proc, Node's own way never comes back. */
async function makeFolder(folder: string): Promise<void> {
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
