import { type Dirent, existsSync } from 'node:fs';
import { chown, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ownerFor } from '../identify-store.js';

/** Prefix of the folders for files that a restore has moved aside. */
const PREFIX = 'replaced-';
/** The new store inside such a folder. While it is there, the replacement is not finished. */
const NEXT = 'next-store.db';
/**
 * The store, files that SQLite would apply to the new one (a WAL or a journal), the marks of a damaged store and of a
 * move, and the text index.
 */
const ENDINGS = ['', '-wal', '-shm', '-journal', '-damaged', '-move', '-texts'];

/**
 * Replaces a store by a file in the same file system, and moves the former files into a dated folder. Returns that
 * folder; null if there were none. The caller must hold the store's lock, and the file must be synced.
 *
 * The rename into the dated folder decides: before it, the old store is untouched. After it, {@link finishReplacement}
 * completes an interrupted replacement.
 */
export async function replaceStore(path: string, file: string, now: Date): Promise<string | null> {
  const folder = await createDatedFolder(dirname(path), now);
  const owner = ownerFor(path);
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  await rename(file, join(folder, NEXT));
  await sync(folder);
  await sync(dirname(path));
  return finish(path, folder);
}

/** The folder of a replacement that a crash has interrupted; null if there is none. */
export async function findReplacement(path: string): Promise<string | null> {
  const folders = await listDatedFolders(path);
  return folders.find((folder) => existsSync(join(folder, NEXT))) ?? null;
}

/**
 * Completes an interrupted replacement, if there is one, and removes folders of those that were interrupted before they
 * had anything in them. The caller must hold the store's lock.
 */
export async function finishReplacement(path: string): Promise<void> {
  const folder = await findReplacement(path);
  if (folder !== null) await finish(path, folder);
  // Only an empty folder can be removed like this.
  for (const left of await listDatedFolders(path)) await rmdir(left).catch(() => {});
}

async function listDatedFolders(path: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(dirname(path), { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX));
  return folders.map(({ name }) => join(dirname(path), name));
}

async function finish(path: string, folder: string): Promise<string | null> {
  let isEmpty = true;
  for (const ending of ENDINGS) {
    const target = join(folder, basename(path) + ending);
    if (existsSync(path + ending)) await rename(path + ending, target);
    isEmpty &&= !existsSync(target);
  }
  await sync(folder);
  await sync(dirname(path));
  await rename(join(folder, NEXT), path);
  await sync(dirname(path));
  if (isEmpty) await rm(folder, { recursive: true });
  return isEmpty ? null : folder;
}

/** A new folder with the time in its name, such as `replaced-2026-11-23T01-20-33Z`. */
async function createDatedFolder(parent: string, now: Date): Promise<string> {
  const name = `${PREFIX}${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  for (let attempt = 1; ; attempt++) {
    const folder = join(parent, attempt === 1 ? name : `${name}-${attempt}`);
    try {
      await mkdir(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Makes the names in a folder durable. Windows does this itself, and opens no folders. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
