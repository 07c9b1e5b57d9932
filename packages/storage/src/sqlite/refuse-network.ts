import { execFile } from 'node:child_process';
import { realpath as realpathCallback } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreRefusedError } from '../store-refused-error.js';

/** A mounted file system. */
interface Mount {
  /** The folder at which it is mounted. */
  folder: string;
  /** Its type, such as `ext4` or `nfs4`. */
  type: string;
}

/**
 * File systems of other machines, or shared with the host of a virtual machine, by the name that the system gives them.
 */
const NETWORK =
  /^(?:nfs4?|cifs|smb[23]?|smbfs|afpfs|webdav|davfs2?|9p|afs|coda|ceph|ncpfs|lustre|gpfs|beegfs|orangefs|pvfs2|vboxsf|prl_fs|vmhgfs|fuse\.(?:sshfs|rclone|s3fs|goofys|gcsfuse|mount-s3|glusterfs|davfs2?|curlftpfs|smbnetfs|vmhgfs-fuse|cephfs|ceph-fuse|moosefs|mfs|juicefs|seaweedfs|blobfuse2?|dropbox|onedriver|google-drive-ocamlfuse))$/;

export function isNetworkType(type: string): boolean {
  return NETWORK.test(type);
}

/** Reads Linux's list of mounts, /proc/self/mountinfo (man proc_pid_mountinfo). */
export function parseMountinfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ', 2);
    const folder = before.split(' ')[4];
    const type = after.split(' ')[0];
    if (folder === undefined || type === undefined || type === '') return [];
    const unescaped = folder.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    return [{ folder: unescaped, type }];
  });
}

/** Reads the output of macOS's `mount`, such as `//ann@nas/home on /Volumes/home (smbfs, nodev, nosuid)`. */
export function parseMountCommand(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, folder, type] = /^.* on (\/.*) \(([^,)]+)/.exec(line) ?? [];
    return folder === undefined || type === undefined ? [] : [{ folder, type }];
  });
}

/** The file system that holds a path: the one mounted deepest, and of those at the same folder the last. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | null {
  const holding = mounts.filter(({ folder }) => folder === '/' || path === folder || path.startsWith(`${folder}/`));
  return holding.reduce<Mount | null>(
    (deepest, mount) => (deepest === null || mount.folder.length >= deepest.folder.length ? mount : deepest),
    null,
  );
}

/** The share of a Windows path, such as `\\nas\home`. Null if it is on a disk of this machine. */
export function shareOf(path: string): string | null {
  return /^\\\\(?:\?\\UNC\\)?(?![.?]\\)([^\\]+\\[^\\]+)/i.exec(path)?.[1] ?? null;
}

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
