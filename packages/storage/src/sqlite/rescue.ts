import { mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { StatementRunner } from './connection.js';

/**
 * Writes a copy of a store whose file is no longer at its path. Its connections still have the file open, so nothing is
 * lost until they close. The copy is one file without a WAL, synced before it gets its name. It stands in a new folder
 * beside the data folder, or in the home folder if that is not possible.
 *
 * @returns the path of the copy
 */
export async function rescueCopy(path: string, { run }: Pick<StatementRunner, 'run'>, now: Date): Promise<string> {
  const beside = dirname(dirname(path));
  const name = `${basename(dirname(path))}-rescued-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  try {
    return await copyInto(await makeFolder(join(beside, name)), path, run);
  } catch (error) {
    if (homedir() === beside) throw error;
    return await copyInto(await makeFolder(join(homedir(), name)), path, run);
  }
}

async function copyInto(folder: string, path: string, run: StatementRunner['run']): Promise<string> {
  const target = join(folder, basename(path));
  const unfinished = `${target}-unfinished`;
  try {
    // SQLite would make it readable for others.
    await (await open(unfinished, 'wx', 0o600)).close();
    await run('vacuum into ?', [unfinished]);
    // Windows syncs no file that is opened for reading only.
    await sync(unfinished, 'r+');
    await rename(unfinished, target);
    // Windows cannot sync folders.
    for (const made of [folder, dirname(folder)]) await sync(made, 'r').catch(() => {});
    return target;
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

/** Makes a folder that only the user can read, with a number if another one has the name. */
async function makeFolder(folder: string, attempt = 1): Promise<string> {
  const numbered = attempt === 1 ? folder : `${folder}-${attempt}`;
  try {
    await mkdir(numbered, { mode: 0o700 });
    return numbered;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await makeFolder(folder, attempt + 1);
  }
}

async function sync(file: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(file, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
