import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * How a user starts this program: `recollect` if the PATH has a launcher of it (`npm run link`), or the program itself;
 * otherwise through npm.
 */
export function commandName(searchPath: string): string {
  const program = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
  const name = process.platform === 'win32' ? 'recollect.cmd' : 'recollect';
  const isLinked = searchPath.split(delimiter).some((folder) => folder !== '' && leadsTo(join(folder, name), program));
  return isLinked ? 'recollect' : 'npm run --silent recollect --';
}

function leadsTo(path: string, program: string): boolean {
  try {
    return realpathSync(path) === program || readFileSync(path, 'utf8').includes(program);
  } catch {
    return false;
  }
}
