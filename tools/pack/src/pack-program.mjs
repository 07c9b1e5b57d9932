// @ts-check
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSqliteVecBinary } from './find-sqlite-vec-binary.mjs';
import { copyLibrary, findLibraries, readManifest } from './libraries.mjs';
import { collectLicences, listContents, models } from './licences.mjs';
import { createManifest } from './manifest.mjs';
import { warmUp, writePrograms } from './programs.mjs';
import { runNpm } from './run-npm.mjs';
import { createSbom, SBOM_ENDING } from './sbom.mjs';

/** @typedef {import('./libraries.mjs').Target} Target */

/**
 * Makes the file that `npm install -g` installs on a system, from a built repository, and beside it the list of its
 * libraries.
 * @param {string} root the folder of the repository
 * @param {{ target: Target, output: string, report?: (text: string) => void }} options `output` is the folder for the
 * file
 * @returns {Promise<string>} the path of the file
 */
export async function packProgram(root, { target, output, report = () => {} }) {
  const system = `${target.os}-${target.cpu}`;
  mkdirSync(join(root, 'tools/pack/dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'tools/pack/dist', `${system}-`));
  try {
    await writePackage(root, folder, target, report);
    report('packing');
    mkdirSync(output, { recursive: true });
    const [{ filename }] = JSON.parse(
      runNpm(['pack', '--json', '--ignore-scripts', '--pack-destination', output], folder),
    );
    const file = join(output, filename.replace(/\.tgz$/, `-${system}.tgz`));
    renameSync(join(output, filename), file);
    const sbom = createSbom(readManifest(folder), listContents(root), models);
    writeFileSync(file.replace(/\.tgz$/, SBOM_ENDING), sbom);
    return file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the files of the package.
 * @param {string} root
 * @param {string} folder
 * @param {Target} target
 * @param {(text: string) => void} report
 */
async function writePackage(root, folder, target, report) {
  report('copying the libraries with native parts');
  const found = findLibraries(root);
  const sqliteVec = found.filter(({ name }) => name === 'sqlite-vec');
  const libraries = [...found, ...sqliteVec.map((library) => findSqliteVecBinary(library, target))];
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
    libraries: libraries.map((library) => ({ name: library.name, version: library.manifest.version })),
  });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'tools/pack/package/README.md'), join(folder, 'README.md'));
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, 'LICENSES.md'), collectLicences(root));
  // Only a processor of the same kind can use what V8 compiles here.
  if (target.os === process.platform && target.cpu === process.arch) await warmUp(root, folder);
}
