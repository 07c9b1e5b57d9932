import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The state of a file that is kept in step. */
export interface WatchedFile {
  /** Its memory. */
  id: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  hash: string;
  size: number;
  /** When it was changed last, in milliseconds. */
  changedAt: number;
  /** What the memory got from the file, so that what the user has changed here is told from it. */
  title: string;
  tags: readonly string[];
}

/** The files of a folder by their paths in it, with `/` between folders. */
export interface WatchedFiles {
  files: Record<string, WatchedFile>;
  /**
   * Files that are gone, and whose memories are in the trash: one that appears under another name gets its memory back.
   */
  gone: Record<string, WatchedFile>;
}

/** Files that are gone are remembered so many at a time. */
const REMEMBERED = 1_000;

const pathOf = (dataFolder: string, folder: string) =>
  join(dataFolder, 'watched', `${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.json`);

/** Reads the state of a folder, empty at first. A damaged state starts again, since known texts are recognised. */
export async function readWatchedFiles(dataFolder: string, folder: string): Promise<WatchedFiles> {
  const text = await readFile(pathOf(dataFolder, folder), 'utf8').catch(() => null);
  try {
    const { files = {}, gone = {} } = JSON.parse(text ?? '{}') as Partial<WatchedFiles>;
    return { files, gone };
  } catch {
    return { files: {}, gone: {} };
  }
}

/** Writes what is known of a folder's files in one step, so that a crash leaves the former or the new state. */
export async function writeWatchedFiles(
  dataFolder: string,
  folder: string,
  { files, gone }: WatchedFiles,
): Promise<void> {
  const path = pathOf(dataFolder, folder);
  await mkdir(join(dataFolder, 'watched'), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  const kept = Object.fromEntries(Object.entries(gone).slice(-REMEMBERED));
  await writeFile(partial, JSON.stringify({ folder, files, gone: kept }), { mode: 0o600 });
  await rename(partial, path);
}
