import { chmod, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OpenPermission } from '@recollect/core';
import { isOurs } from '../store-file.js';

/** The modes that only this account can use. */
const OWN = { folder: 0o700, file: 0o600 };

/** The store's files and working folders, and its folder if it is Recollect's own. */
async function pathsOf(path: string): Promise<{ path: string; mode: number }[]> {
  const folder = dirname(path);
  const entries = await readdir(folder, { withFileTypes: true });
  const ours = entries.filter(({ name }) => isOurs(path, name));
  return [
    ...(ours.length === entries.length ? [{ path: folder, mode: OWN.folder }] : []),
    // A restore works in a folder beside the store.
    ...ours.map((entry) => ({ path: `${folder}/${entry.name}`, mode: entry.isDirectory() ? OWN.folder : OWN.file })),
  ];
}

/**
 * The files that other accounts can read or write, and the folder if they can write to it. Windows has no such modes.
 */
export async function readOpenPermissions(path: string): Promise<OpenPermission[]> {
  if (process.platform === 'win32') return [];
  const open: OpenPermission[] = [];
  for (const { path: one } of await pathsOf(path)) {
    const mode = (await stat(one)).mode & 0o777;
    if ((mode & 0o077) !== 0) open.push({ path: one, mode: mode.toString(8) });
  }
  // A folder with other files keeps its mode, but no other account may replace the store in it.
  const folder = dirname(path);
  const { mode } = await stat(folder);
  const isListed = open.some((found) => found.path === folder);
  if (!isListed && (mode & 0o022) !== 0) open.push({ path: folder, mode: (mode & 0o777).toString(8) });
  return open;
}

export async function closePermissions(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const { path: one, mode } of await pathsOf(path)) await chmod(one, mode);
  const folder = dirname(path);
  await chmod(folder, (await stat(folder)).mode & 0o755);
}
