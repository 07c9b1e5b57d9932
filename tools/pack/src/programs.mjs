// @ts-check
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { bundle, bundleProgram, keepCompiledCode, writeBuildVersion } from '@recollect/bundle';
import { isBundled, readManifest } from './libraries.mjs';

/** What the threads and processes of each package run. */
const PROGRAMS = {
  'packages/embeddings/dist': ['model-thread', 'reranker-thread'],
  'packages/extraction/dist': ['reader-process', 'extraction-thread', 'pdf-thread'],
  'packages/importers/dist': ['export-process'],
  'packages/storage/dist/backups/age': ['age-thread'],
  'packages/plugin-runtime/dist': ['register'],
};

/** Files that are only copied. The build has bundled some of them. */
const FILES = [
  'apps/server/dist/docs/pages/pages.json',
  'packages/extension/dist/browser/**',
  'packages/models/{minilm,multilingual,reranker}/**',
  'packages/plugin-runtime/dist/bundle/*.js',
  'packages/plugin-runtime/template/**',
  'packages/plugins/dist/*/*.js',
  'packages/storage/dist/bundle/*.cjs',
  'packages/in-memory-index/dist/*.wasm',
  'packages/web/dist/app/**',
];

/** @param {string} path */
const slashes = (path) => path.split(sep).join('/');

/**
 * Where a file of the repository is in the package: a library is at its top, and other files keep their paths.
 * @param {string} root
 * @param {string} path
 */
export function placeOf(root, path) {
  const [, library] = /.*[\\/](node_modules[\\/].*)/.exec(path) ?? [];
  return slashes(library ?? relative(root, path));
}

/**
 * Copies the built files into a package, and bundles the programs with all libraries except those that stay apart,
 * which must be in the package already.
 * @param {string} root the folder of the built repository
 * @param {string} folder the folder of the package
 */
export async function writePrograms(root, folder) {
  for (const file of globSync(FILES, { cwd: root, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    await mkdir(dirname(join(folder, relative(root, path))), { recursive: true });
    await cp(path, join(folder, relative(root, path)));
  }
  /** @param {string} place @returns {import('@recollect/bundle').Layout} */
  const layoutAt = (place) => ({
    output: join(folder, place, '/'),
    locate(path) {
      const found = slashes(relative(place, placeOf(root, path)));
      return found.startsWith('.') ? found : `./${found}`;
    },
    isBundled,
  });
  /** @type {import('@recollect/bundle').OutputOptions} */
  const thread = { format: 'esm', chunkFileNames: '[name]-[hash].js', comments: false };
  const cli = layoutAt('apps/cli/dist/bundle');
  await bundleProgram(join(root, 'apps/cli/dist/run-command-line.js'), cli, { comments: false });
  await bundle(join(root, 'apps/cli/dist/start.js'), cli, { ...thread, entryFileNames: 'main.js' });
  for (const [place, names] of Object.entries(PROGRAMS)) {
    const input = Object.fromEntries(names.map((name) => [name, join(root, place, `${name}.js`)]));
    await bundle(input, layoutAt(place), thread);
  }
  writeBuildVersion(join(folder, 'apps/cli/dist/build.json'), {
    release: readManifest(join(root, 'apps/cli')).version,
    repository: root,
    files: ['apps/**/*.{js,cjs,json}', 'packages/*/dist/**'],
    folder,
  });
  const missing = findMissingModules(folder);
  if (missing.length > 0)
    throw new Error(`The bundles load modules that are not in the package: ${missing.join(', ')}.`);
}

/**
 * Finds the relative modules that bundles load but that do not exist. A bundler overlooks the modules of a library that
 * gets `require` as an argument, which is then to be left apart.
 * @param {string} folder the folder of the package
 */
function findMissingModules(folder) {
  return globSync(['apps/**/*.{js,cjs}', 'packages/*/dist/*.js'], { cwd: folder }).flatMap((file) => {
    const path = join(folder, file);
    const calls = readFileSync(path, 'utf8').matchAll(/\b(?:require[\w$]*|import)\("(\.[^"]+)"\)/g);
    return [...calls].flatMap(([, id = '']) => (existsSync(join(dirname(path), id)) ? [] : [`${id} in ${file}`]));
  });
}

/**
 * Keeps what V8 compiles of the everyday commands in the package.
 * @param {string} root
 * @param {string} folder
 */
export async function warmUp(root, folder) {
  const dist = join(folder, 'apps/cli/dist');
  const scripts = ['warm-up.js', 'load-program.js'];
  for (const script of scripts) await cp(join(root, 'apps/cli/dist', script), join(dist, script));
  const failure = await keepCompiledCode(dist);
  if (failure !== null) throw new Error(`The packed program does not run: ${failure}`);
  for (const script of scripts) await rm(join(dist, script));
  // Node's own cache is for the paths of this folder.
  for (const cache of globSync('cache/v*', { cwd: dist })) await rm(join(dist, cache), { recursive: true });
}
