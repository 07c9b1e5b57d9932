import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import type { Backup } from '@recollect/contract';
import type { StoredBackup } from '@recollect/core';
import { attemptOf, parseName } from './partial-files.js';
import { readReport } from './report-file.js';

/**
 * Creates the folder of the backups. Only the user may read it. Never creates the data folder: if that is missing, it
 * was moved or its disk is not mounted.
 */
export async function prepareFolder(folder: string, dataFolder: string): Promise<void> {
  const inside = relative(dataFolder, folder);
  if (isAbsolute(inside) || inside.split(sep)[0] === '..') {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return;
  }
  let path = dataFolder;
  for (const name of inside.split(sep).filter(Boolean)) {
    path = join(path, name);
    await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  }
}

/**
 * The backups in a folder, newest first. Those that a wrong clock has dated in the future come last, because their age
 * is unknown. A folder that does not exist has none.
 */
export async function listBackups(folder: string, now: Date): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const backups = await Promise.all(names.map((name) => describe(folder, name)));
  const isFuture = ({ at }: StoredBackup) => Number(Date.parse(at) > now.getTime());
  return backups
    .filter((backup) => backup !== null)
    .sort(
      (a, b) =>
        isFuture(a) - isFuture(b) ||
        compare(b.at, a.at) ||
        attemptOf(basename(b.path)) - attemptOf(basename(a.path)) ||
        compare(b.path, a.path),
    );
}

async function describe(folder: string, name: string): Promise<StoredBackup | null> {
  const named = parseName(name);
  const path = join(folder, name);
  const facts = named === null ? null : await stat(path).catch(() => null);
  if (named === null || !facts?.isFile()) return null;
  const report = await readReport(path);
  return {
    path,
    ...named,
    bytes: facts.size,
    sha256: report?.sha256 ?? null,
    memories: report?.memories ?? null,
    isVerified: report?.bytes === facts.size,
    sequence: report?.sequence ?? null,
  };
}

/** Removes a backup, then its report. */
export async function removeBackup({ path }: Pick<Backup, 'path'>): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.json`, { force: true });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
