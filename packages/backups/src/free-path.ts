import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatName, type NamedBackup } from './file-name.js';

/** The path of a new backup in a folder: its name, numbered if another backup of the same second has it. */
export async function freePath(folder: string, named: NamedBackup): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const path = join(folder, formatName(named, attempt));
    if ((await stat(path).catch(() => null)) === null) return path;
  }
}
