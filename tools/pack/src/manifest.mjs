// @ts-check

/** The name of the package in the registry, which is also the name of the command. */
export const NAME = 'recollect';

/**
 * @typedef {import('./libraries.mjs').Target} Target
 * @typedef {import('./libraries.mjs').Manifest} Manifest
 */

/**
 * Creates the manifest of the package. Its libraries are in it, so that npm fetches nothing and runs no scripts.
 * @param {Manifest} repository the manifest of the repository
 * @param {{ node: string, target: Target, libraries: readonly { name: string, version: string }[] }} options `node` is
 * the range of Node versions
 */
export function createManifest({ version, description }, { node, target: { os, cpu }, libraries }) {
  return {
    name: NAME,
    version,
    description,
    keywords: ['memory', 'search', 'bookmarks', 'notes', 'mcp', 'self-hosted'],
    license: 'SEE LICENSE IN LICENSES.md',
    type: 'module',
    engines: { node },
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' ? { libc: ['glibc'] } : {}),
    bin: { recollect: 'apps/cli/dist/bundle/main.js' },
    files: ['apps', 'packages', 'LICENSES.md'],
    dependencies: Object.fromEntries(libraries.map(({ name, version }) => [name, version])),
    bundleDependencies: libraries.map(({ name }) => name),
  };
}
