import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RecollectError } from '@recollect/core';
import { run } from '../service-manager/run-program.js';
import { type Installation, PROGRAM, readInstallation } from './installation.js';
import { npm } from './npm.js';

/** A version that is installed beside the present one, and not used yet. */
export interface Staged extends Installation {
  /** The changelog of the version; empty if it has none. */
  changelog: string;
  remove(): Promise<void>;
}

/**
 * Installs a version beside the present one, on the same disk, and starts its program once. So a broken download or a
 * full disk leaves the present version as it was.
 *
 * @param source a file, or a name and version in the registry
 */
export async function stage({ modules, name }: Installation, source: string): Promise<Staged> {
  const folder = await mkdtemp(join(modules, `.${name}-update-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await npm('install', '--global', '--prefix', folder, '--ignore-scripts', source);
    const parts = process.platform === 'win32' ? ['node_modules', name] : ['lib', 'node_modules', name];
    const staged = await readInstallation(join(folder, ...parts)).catch(() => {
      throw new RecollectError('UNAVAILABLE', `${source} is not a package of Recollect. Nothing has changed.`);
    });
    const { code, output, errors } = await run(process.execPath, [join(staged.root, PROGRAM), '--version']);
    if (code !== 0 || output.trim() !== staged.version)
      throw new RecollectError('UNAVAILABLE', `The new version does not start: ${errors.trim()} Nothing has changed.`);
    const changelog = await readFile(join(staged.root, 'CHANGELOG.md'), 'utf8').catch(() => '');
    return { ...staged, changelog, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Puts a staged version in the place of the present one. Returns how to go back, and how to forget the previous one.
 */
export async function replace({ root }: Installation, staged: Staged) {
  const previous = join(staged.modules, 'previous');
  await rename(root, previous);
  try {
    await rename(staged.root, root);
  } catch (error) {
    await rename(previous, root);
    throw error;
  }
  return {
    async goBack() {
      await rename(root, staged.root);
      await rename(previous, root);
      await staged.remove();
    },
    forget: () => staged.remove(),
  };
}
