import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Archive, ArchivedFile } from './archive.js';

/**
 * The files of a folder and of the folders in it, by name. Links to folders are not followed, since they may lead back.
 * Rejects if the folder itself cannot be read; of the folders in it, the first that cannot be read is the fault.
 */
export async function openFolder(path: string): Promise<Archive> {
  let fault: Error | null = null;
  const files: ArchivedFile[] = [];
  const collect = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = join(folder, entry.name);
      // Neither settings nor programs are anything that was written.
      if (entry.isDirectory() && (entry.name.startsWith('.') || entry.name === 'node_modules')) continue;
      if (entry.isDirectory())
        await collect(inner).catch((error) => {
          fault ??= error as Error;
        });
      else if (entry.isFile() || entry.isSymbolicLink()) {
        const file = await toFile(path, inner).catch(() => null);
        if (file !== null) files.push(file);
      }
    }
  };
  await collect(path);
  return { files, fault, close: () => {} };
}

async function toFile(root: string, path: string): Promise<ArchivedFile | null> {
  const facts = await stat(path);
  if (!facts.isFile()) return null;
  return {
    name: relative(root, path).replaceAll(sep, '/'),
    size: facts.size,
    changedAt: facts.mtime,
    read: () => readFile(path),
  };
}
