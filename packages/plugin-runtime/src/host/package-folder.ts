import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { RecollectError } from '@recollect/core';

const MAX_PACKAGE = { files: 5_000, bytes: 50 * 1024 * 1024 };
/** Age at which an unfinished copy is considered abandoned, in milliseconds. */
const ABANDONED_AFTER_MS = 3_600_000;
/** How often a move is attempted while other installations write to the same place. */
const MAX_ATTEMPTS = 3;
const ENTRIES = ['index.js', 'index.mjs', 'index.ts'];

export interface PackageFolder {
  folder: string;
  /** Paths relative to the folder, with forward slashes, sorted. */
  files: string[];
  /** SHA-256 of the paths and contents of all files, hexadecimal. */
  sha256: string;
  /** Path of the module that is loaded. */
  entry: string;
}

/**
 * Reads a plugin's folder. Skips dotfiles, because tools keep their own data there. Rejects links, because their
 * targets are not pinned. Throws PLUGIN_INVALID.
 */
export async function readPackageFolder(path: string): Promise<PackageFolder> {
  const folder = await realpath(path).catch(() => null);
  if (folder === null || !(await stat(folder)).isDirectory()) throw invalid('There is no such folder.');
  const files = (await listFiles(folder)).sort();
  if (files.length > MAX_PACKAGE.files) throw invalid(`It has more than ${MAX_PACKAGE.files} files.`);
  const hash = createHash('sha256');
  let bytes = 0;
  for (const file of files) {
    const content = await readFile(join(folder, file));
    bytes += content.length;
    if (bytes > MAX_PACKAGE.bytes)
      throw invalid(`Its files are larger than ${MAX_PACKAGE.bytes / 1024 / 1024} MiB in all.`);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return { folder, files, sha256: hash.digest('hex'), entry: join(folder, await findEntry(folder, files)) };
}

/** Copies a plugin's files to a folder that only the user may read. */
export async function copyPackage({ folder, files }: PackageFolder, target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const file of files) {
    const path = join(target, file);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await cp(join(folder, file), path);
    await chmod(path, 0o600);
  }
}

/** Moves a copy to its place, unless the same files are already there. Replaces the remains of an earlier copy. */
export async function keepPackage(incoming: string, place: string, sha256: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const present = await readPackageFolder(place).catch(() => null);
    if (present?.sha256 === sha256) return;
    await rm(place, { recursive: true, force: true });
    try {
      await rename(incoming, place);
      return;
    } catch (error) {
      // Another installation of the same plugin has created the folder.
      const isTaken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!isTaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Removes unfinished copies, such as those that a crash left behind. */
export async function sweepAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('incoming-'))) {
    const { mtimeMs = Date.now() } = (await stat(join(folder, name)).catch(() => null)) ?? {};
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function listFiles(folder: string, within = folder): Promise<string[]> {
  const entries = await readdir(within, { withFileTypes: true });
  const paths = await Promise.all(
    entries.filter(({ name }) => !name.startsWith('.')).map((entry) => listEntry(folder, within, entry)),
  );
  return paths.flat();
}

async function listEntry(folder: string, within: string, entry: Dirent): Promise<string[]> {
  const path = join(within, entry.name);
  const name = relative(folder, path).split(sep).join('/');
  if (entry.isDirectory()) return listFiles(folder, path);
  if (entry.isFile()) return [name];
  throw invalid(
    `${name} is not a regular file. A plugin may contain only regular files, no links; bundle its dependencies.`,
  );
}

async function findEntry(folder: string, files: readonly string[]): Promise<string> {
  const main = files.includes('package.json') ? await readMain(join(folder, 'package.json')) : null;
  const entry = main ?? ENTRIES.find((name) => files.includes(name));
  if (entry !== undefined && files.includes(entry)) return entry;
  throw invalid(
    main === null
      ? `It has no entry file (${ENTRIES.join(', ')}) and no package.json with a main. Run recollect plugins new FOLDER to create one.`
      : 'The file that main in its package.json names does not exist.',
  );
}

async function readMain(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8');
  try {
    const { main } = JSON.parse(text);
    return typeof main === 'string' ? main.replace(/^\.\//, '') : null;
  } catch {
    throw invalid('Its package.json is not valid JSON.');
  }
}

function invalid(reason: string): RecollectError {
  return new RecollectError('PLUGIN_INVALID', `The plugin was not installed. ${reason}`, {
    errors: [{ pointer: '/folder', message: reason }],
  });
}
