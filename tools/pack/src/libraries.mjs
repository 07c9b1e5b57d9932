// @ts-check
import { cpSync, existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * The system that a package is for, as Node names it.
 * @typedef {{ os: string, cpu: string }} Target
 * @typedef {Record<string, any> & { name: string, version: string }} Manifest
 * @typedef {{ name: string, folder: string, manifest: Manifest }} Library
 */

/** The systems for which all libraries with native parts have binaries. */
export const targets = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64'];

/**
 * The libraries that are not bundled, since they bring binaries, threads or files, or load
 * their modules in a way that a bundler does not see, and which of their files are needed.
 * @type {Readonly<Record<string, (path: string, target: Target) => boolean>>}
 */
const SEPARATE = {
  'better-sqlite3': (path, { os, cpu }) => path.startsWith('lib/') || path === `prebuilds/${os}-${cpu}.node`,
  'sqlite-vec': () => true,
  'onnxruntime-node': (path, { os, cpu }) => path.startsWith('dist/') || path.startsWith(`bin/napi-v6/${os}/${cpu}/`),
  'onnxruntime-common': (path) => path.startsWith('dist/cjs/'),
  '@huggingface/tokenizers': (path) => path.startsWith('dist/'),
  'pdfjs-dist': (path) => /^(?:cmaps|standard_fonts)\/|^legacy\/build\/pdf(?:\.worker)?\.mjs$/.test(path),
  'word-list': () => true,
  open: () => true,
  pino: (path) => path === 'pino.js' || path.startsWith('lib/'),
  'jsonc-parser': (path) => path.startsWith('lib/umd/'),
  'ipaddr.js': (path) => path.startsWith('lib/'),
};

/** Used only by the install scripts of libraries, which do not run. */
const FOR_INSTALLING = ['adm-zip', 'global-agent', 'node-addon-api'];

/** Files that no program reads. */
const UNUSED = /(?:\.map|\.d\.[cm]?ts|\.md|\.markdown|tsconfig\.json)$|^(?:tests?|benchmarks?|docs|examples?)\//i;
/** Texts of licences and notices. */
export const LICENCE = /^(?:licen[cs]e|copying|notice|thirdpartynotices)[^/]*$/i;

/** Fields of a library's manifest that matter at run time. */
const FIELDS = ['name', 'version', 'license', 'author', 'type', 'main', 'exports', 'imports', 'bin'];

/**
 * Whether a file of a library that stays apart is needed on a system.
 * @param {string} name
 * @param {string} path in the library, with forward slashes
 * @param {Target} target
 */
export function isNeeded(name, path, target) {
  if (LICENCE.test(path)) return true;
  return !UNUSED.test(path) && (SEPARATE[name]?.(path, target) ?? true);
}

/** Whether a library is part of the bundles. @param {string} name */
export const isBundled = (name) => !Object.hasOwn(SEPARATE, name);

/**
 * The libraries that stay apart, with what they depend on. Throws if two of them need different versions of a third.
 * @param {string} root the folder of the repository
 * @returns {Library[]}
 */
export function findLibraries(root) {
  const all = reach(join(root, 'apps/cli'));
  const roots = all.filter(({ name }) => !isBundled(name));
  const missing = Object.keys(SEPARATE).filter((name) => !roots.some((library) => library.name === name));
  if (missing.length > 0) throw new Error(`Nothing depends on ${missing.join(', ')}: remove it from SEPARATE.`);
  /** @type {Map<string, Library>} */
  const found = new Map();
  for (const library of roots.flatMap(({ folder }) => reach(folder))) {
    const other = found.get(library.name);
    if (other !== undefined && other.folder !== library.folder)
      throw new Error(
        `${library.name} is needed in versions ${other.manifest.version} and ${library.manifest.version}.`,
      );
    found.set(library.name, library);
  }
  return [...found.values()];
}

/**
 * Lists a package and its installed dependencies, and theirs.
 * @param {string} start the folder of the package
 * @param {{ isBuiltWith?: boolean, isLeftOut?: (name: string) => boolean }} [options] `isBuiltWith` follows the
 * development dependencies of the first package, and of no other
 * @returns {Library[]}
 */
export function reach(start, { isBuiltWith = false, isLeftOut = () => false } = {}) {
  /** @type {Map<string, Library>} */
  const found = new Map();
  /** @param {string} folder @param {boolean} isFirst */
  const visit = (folder, isFirst) => {
    if (found.has(folder)) return;
    const manifest = readManifest(folder);
    found.set(folder, { name: manifest.name, folder, manifest });
    const wanted = { ...manifest.dependencies, ...(isFirst && isBuiltWith ? manifest.devDependencies : {}) };
    for (const name of Object.keys(wanted)) {
      if (FOR_INSTALLING.includes(name) || isLeftOut(name)) continue;
      const dependency = findInstalled(name, folder);
      if (dependency === undefined) throw new Error(`${name}, on which ${manifest.name} depends, is not installed.`);
      visit(dependency, false);
    }
  };
  visit(realpathSync(start), true);
  return [...found.values()];
}

/**
 * The folder of an installed package, seen from another one.
 * @param {string} name
 * @param {string} from
 */
export function findInstalled(name, from) {
  for (let folder = from; dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return realpathSync(path);
  }
  return undefined;
}

/** @param {string} folder @returns {Manifest} */
export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Copies the files of a library that are needed on a system, without install scripts.
 * @param {Library} library
 * @param {string} folder the new folder
 * @param {Target} target
 * @param {readonly string[]} names of all copied libraries
 */
export function copyLibrary({ name, folder: source, manifest }, folder, target, names) {
  cpSync(source, folder, {
    recursive: true,
    filter(from) {
      const path = relative(source, from).split(sep).join('/');
      if (path === '') return true;
      if (path.startsWith('node_modules/') || path === 'node_modules') return false;
      // npm packs no empty folders.
      if (statSync(from).isDirectory()) return true;
      return isNeeded(name, path, target);
    },
  });
  const dependencies = Object.entries(manifest.dependencies ?? {}).filter(([each]) => names.includes(each));
  const kept = Object.entries(manifest).filter(([field]) => FIELDS.includes(field));
  const reduced = { ...Object.fromEntries(kept), dependencies: Object.fromEntries(dependencies) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(reduced, null, 2)}\n`);
}
