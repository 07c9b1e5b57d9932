import { accessSync, constants, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './transfer/write-file.js';

/** The file in the data folder that says which model `recollect model use` chose. */
const pathIn = (dataFolder: string) => join(dataFolder, 'model.json');

/** The folder of the model that was chosen for a store. Null: the model that ships. Throws if the file cannot be read. */
export function readModelChoice(dataFolder: string): string | null {
  const path = pathIn(dataFolder);
  let folder: unknown;
  try {
    ({ folder } = JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A folder that cannot be used is explained where the store is opened.
    if (code === 'ENOENT' || code === 'ENOTDIR' || !isReachable(dataFolder)) return null;
    throw new Error(`${path} cannot be read: ${message}`);
  }
  if (typeof folder === 'string' && folder !== '') return folder;
  throw new Error(`${path} names no folder.`);
}

function isReachable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Chooses a model for a store, from its next start on. Null: the model that ships. */
export async function writeModelChoice(dataFolder: string, folder: string | null): Promise<void> {
  const path = pathIn(dataFolder);
  if (folder === null) return rm(path, { force: true });
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const line = async function* () {
    yield `${JSON.stringify({ folder })}\n`;
  };
  await writeFileAtomically(path, line(), new AbortController().signal);
}
