import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RecollectError } from '@recollect/core';

/** A copy of Recollect that npm has installed for all projects. */
export interface Installation {
  /** Its name in the registry. */
  name: string;
  /** The folder of the package. */
  root: string;
  /** The folder of all packages that npm has installed beside it. */
  modules: string;
  /** The release, the commit and a checksum (CLI-8). */
  version: string;
}

/** The program within the package. */
export const PROGRAM = join('apps', 'cli', 'dist', 'bundle', 'main.js');
/** The file with the version within the package. */
const BUILD = join('apps', 'cli', 'dist', 'build.json');

/**
 * Finds the installation that this program belongs to. Throws {@link RecollectError} with what to do if npm has not
 * installed it, or if it may not be changed.
 */
export async function findInstallation(
  program: string = fileURLToPath(new URL('../bundle/main.js', import.meta.url)),
): Promise<Installation> {
  const root = program.slice(0, -PROGRAM.length - 1);
  const modules = dirname(root);
  if (!program.endsWith(PROGRAM) || basename(modules) !== 'node_modules')
    throw new RecollectError(
      'UNAVAILABLE',
      'This is a clone of the repository. Update it with git pull and npm start.',
    );
  if (/[\\/]_npx[\\/]/.test(root))
    throw new RecollectError(
      'UNAVAILABLE',
      'npx starts this copy. It gets the version that you name, as in npx recollect@latest.',
    );
  const isWritable = await access(modules, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    throw new RecollectError(
      'UNAVAILABLE',
      `This account may not write to ${modules}. Update with the account that installed Recollect there.`,
    );
  return readInstallation(root);
}

/** Reads what is installed in a folder. Throws if the package is not complete. */
export async function readInstallation(root: string): Promise<Installation> {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));
  const [{ name }, { version }] = await Promise.all([read('package.json'), read(BUILD)]);
  return { name, root, modules: dirname(root), version };
}

/** The number of the release of a version. */
export function releaseOf(version: string): string {
  return version.split('+')[0] ?? version;
}

const versions = new Intl.Collator('en', { numeric: true });

/** Whether a release comes after another one. A release candidate comes before its release. */
export function isNewer(release: string, other: string): boolean {
  const [number = '', candidate = ''] = release.split(/-(.*)/);
  const [otherNumber = '', otherCandidate = ''] = other.split(/-(.*)/);
  const order = versions.compare(number, otherNumber);
  if (order !== 0) return order > 0;
  if (candidate === '' || otherCandidate === '') return candidate === '' && otherCandidate !== '';
  return versions.compare(candidate, otherCandidate) > 0;
}
