// @ts-check
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { types } from 'node:util';
import { RolldownMagicString } from 'rolldown';

/**
 * Where a bundle goes, and what it may contain.
 * @typedef {object} Layout
 * @property {string} output the folder of the bundle
 * @property {(path: string) => string} locate the relative URL, from the bundle, of a source file or library
 * @property {(library: string, importer: string | undefined) => boolean} isBundled whether a library is part of the
 * bundle, by the library that imports it; undefined for a file of this project
 */

/** The library that contains a file; undefined for a file of this project. @param {string} path */
export const libraryOf = (path) =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1]?.replace(sep, '/');

/**
 * Lets a module find its threads, files and libraries as if it were not bundled.
 * @param {Layout} layout
 * @returns {import('rolldown').Plugin}
 */
export const keepLocations = ({ locate }) => ({
  name: 'keep-locations',
  transform: {
    filter: { id: { exclude: /^\0/ }, code: 'import.meta' },
    async handler(code, id) {
      const script = new RolldownMagicString(code);
      for (const { 0: found, 1: source, index } of code.matchAll(/\bimport\.meta\.(?:url\b|resolve\('([^']+)'\))/g)) {
        const target = source === undefined ? { id, external: false } : await this.resolve(source, id);
        if (target === null) throw new Error(`${id} refers to ${source}, which does not exist.`);
        const path = target.external ? target.id : locate(target.id);
        script.update(index, index + found.length, `new URL('${path}', import.meta.url).href`);
      }
      return { code: script };
    },
  },
});

/**
 * Leaves the libraries that are not bundled where they are.
 * @param {Layout} layout
 * @returns {import('rolldown').Plugin}
 */
export const keepLibraries = ({ locate, isBundled }) => ({
  name: 'keep-libraries',
  async resolveId(source, importer, options) {
    if (importer === undefined || /^(?:\.|node:)/.test(source)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (resolved === null || resolved.external) return resolved;
    const library = libraryOf(resolved.id);
    if (library === undefined || isBundled(library, libraryOf(importer))) return resolved;
    return { id: locate(resolved.id), external: true };
  },
});

/**
 * Lets CommonJS take the namespace of an ES module unchanged, with the default export under that name. The bundler
 * would make the namespace itself the default export, which is what Node does with a CommonJS module.
 * @param {Layout} layout
 * @returns {import('rolldown').Plugin}
 */
export function keepNamespaces({ output }) {
  const require = createRequire(output);
  return {
    name: 'keep-namespaces',
    renderChunk(code) {
      const isNamespace = (/** @type {string} */ path) => types.isModuleNamespaceObject(require(path));
      let script = code.replace(/\S+\.__toESM\((require\("(\.\.[^"]+)"\)), 1\)/g, (found, given, path) =>
        isNamespace(path) ? given : found,
      );
      for (const [, name, path = ''] of code.matchAll(/^let (\S+) = require\("(\.\.[^"]+)"\);/gm)) {
        if (!code.includes(`__toESM(${name}, 1)`) || !isNamespace(path)) continue;
        const isWrapping = (/** @type {string} */ line) =>
          line.startsWith(`${name} = `) && line.endsWith(`__toESM(${name}, 1);`);
        script = script
          .split('\n')
          .filter((line) => !isWrapping(line))
          .join('\n');
      }
      // Another version of the bundler may write these lines in another way.
      const names = new Map(
        [...script.matchAll(/([\w$]+) = require\("(\.\.[^"]+)"\)/g)].map(([, name, path]) => [name, path]),
      );
      for (const [, given = ''] of script.matchAll(/__toESM\(([^,]+), /g)) {
        const path = names.get(given) ?? /require\("(\.\.[^"]+)"\)/.exec(given)?.[1];
        if (path !== undefined && isNamespace(path))
          throw new Error(`The default export of ${path} would be its namespace.`);
      }
      return script;
    },
  };
}
