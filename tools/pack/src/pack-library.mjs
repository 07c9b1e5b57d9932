// @ts-check
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifest } from './libraries.mjs';
import { runNpm } from './run-npm.mjs';

/** The packages that are of use to other programs, in the folder `packages`. */
export const publicPackages = ['contract', 'core', 'extraction', 'in-memory-index'];

/**
 * Reduces the manifest of a built package of the workspace to the fields that its users need. The dependencies on other
 * packages of the workspace get the version of the package, since all have the same.
 * @param {import('./libraries.mjs').Manifest} manifest
 */
export function createLibraryManifest({ private: _, scripts, devDependencies, dependencies = {}, ...kept }) {
  const versions = Object.entries(dependencies).map(([name, range]) => [
    name,
    range.startsWith('workspace:') ? kept.version : range,
  ]);
  return { ...kept, dependencies: Object.fromEntries(versions) };
}

/**
 * Packs a built package of the workspace as a library, which `npm install` can install.
 * @param {string} root the folder of the repository
 * @param {string} name one of `publicPackages`
 * @param {string} output the folder for the file
 * @returns {string} the path of the file
 */
export function packLibrary(root, name, output) {
  const source = join(root, 'packages', name);
  const folder = mkdtempSync(join(tmpdir(), 'recollect-library-'));
  for (const part of ['dist', 'README.md']) cpSync(join(source, part), join(folder, part), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = createLibraryManifest(readManifest(source));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(output, { recursive: true });
  const [{ filename }] = JSON.parse(
    runNpm(['pack', '--json', '--ignore-scripts', '--pack-destination', output], folder),
  );
  rmSync(folder, { recursive: true });
  return join(output, filename);
}
