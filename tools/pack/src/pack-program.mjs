// @ts-check
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSqliteVecBinary } from './find-sqlite-vec-binary.mjs';
import { copyLibrary, findLibraries, readManifest } from './libraries.mjs';
import { collectLicences } from './licences.mjs';
import { createManifest } from './manifest.mjs';
import { warmUp, writePrograms } from './programs.mjs';
import { runNpm } from './run-npm.mjs';

/**
 * Makes the file that `npm install -g` installs on a system, from a built repository.
 * @param {string} root the folder of the repository
 * @param {{ target: import('./libraries.mjs').Target, output: string, report?: (text: string) => void }} options
 * `output` is the folder for the file
 * @returns {Promise<string>} the path of the file
 */
export async function packProgram(root, { target, output, report = () => {} }) {
  const system = `${target.os}-${target.cpu}`;
  mkdirSync(join(root, 'tools/pack/dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'tools/pack/dist', `${system}-`));

  report('copying the libraries with native parts');
  const found = findLibraries(root);
  const binaries = found
    .filter(({ name }) => name === 'sqlite-vec')
    .map((library) => findSqliteVecBinary(library, target));
  const libraries = [...found, ...binaries];
  const names = libraries.map(({ name }) => name);
  for (const library of libraries) copyLibrary(library, join(folder, 'node_modules', library.name), target, names);

  report('bundling the programs');
  await writePrograms(root, folder);
  const { version, engines } = readManifest(join(root, 'apps/cli'));
  const manifest = createManifest({
    version,
    description: readManifest(root).description,
    node: engines.node,
    target,
    libraries: libraries.map(({ name, manifest: { version } }) => ({ name, version })),
  });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [from, to] of [
    ['tools/pack/package/README.md', 'README.md'],
    ['LICENSE', 'LICENSE'],
  ])
    cpSync(join(root, String(from)), join(folder, String(to)));
  writeFileSync(join(folder, 'LICENSES.md'), collectLicences(root));
  // Only a processor of the same kind can use what V8 compiles here.
  if (target.os === process.platform && target.cpu === process.arch) await warmUp(root, folder);

  report('packing');
  mkdirSync(output, { recursive: true });
  const [{ filename }] = JSON.parse(
    runNpm(['pack', '--json', '--ignore-scripts', '--pack-destination', output], folder),
  );
  const file = join(output, filename.replace(/\.tgz$/, `-${system}.tgz`));
  renameSync(join(output, filename), file);
  rmSync(folder, { recursive: true });
  return file;
}
