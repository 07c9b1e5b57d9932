import { execFile } from 'node:child_process';
import { realpath as realpathCallback } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreRefusedError } from '../store-refused-error.js';
import { isNetworkType, type Mount, mountOf, parseMountCommand, parseMountinfo, shareOf } from './mounts.js';

/** Unlike the other one, it resolves mapped drives on Windows. */
const realpath = promisify(realpathCallback.native);

/**
 * Throws {@link StoreRefusedError} for a path on a network file system. There, locks and syncs may have no effect, and
 * the index of the WAL cannot be shared between machines. If the system does not list its mounts, the path is accepted.
 */
export async function refuseNetwork(path: string): Promise<void> {
  const present = await nearestPresent(path);
  if (shareOf(present) !== null) throw new StoreRefusedError('network');
  const mount = mountOf(present, await readMounts());
  if (mount !== null && isNetworkType(mount.type)) throw new StoreRefusedError('network');
}

/** The path itself, or the nearest folder above it that exists, without links. */
async function nearestPresent(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return dirname(path) === path ? path : nearestPresent(dirname(path));
  }
}

async function readMounts(): Promise<Mount[]> {
  try {
    if (process.platform === 'linux') return parseMountinfo(await readFile('/proc/self/mountinfo', 'utf8'));
    if (process.platform === 'darwin') return parseMountCommand((await promisify(execFile)('/sbin/mount')).stdout);
  } catch {
    // Not every sandbox lists the mounts.
  }
  return [];
}
