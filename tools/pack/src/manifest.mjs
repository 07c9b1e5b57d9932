// @ts-check

/** The name of the package in the registry, which is also the name of the command. */
export const NAME = 'recollect';

/**
 * Creates the manifest of the package. Its libraries are in it, so that npm fetches nothing and runs no scripts.
 * @param {object} facts
 * @param {string} facts.version
 * @param {string} facts.description
 * @param {string} facts.node the range of Node versions
 * @param {import('./libraries.mjs').Target} facts.target
 * @param {readonly { name: string, version: string }[]} facts.libraries the libraries in the package
 */
export function createManifest({ version, description, node, target: { os, cpu }, libraries }) {
  return {
    name: NAME,
    version,
    description,
    keywords: ['memory', 'search', 'bookmarks', 'notes', 'mcp', 'self-hosted'],
    license: 'MIT',
    type: 'module',
    engines: { node },
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' ? { libc: ['glibc'] } : {}),
    bin: { recollect: 'apps/cli/dist/bundle/main.js' },
    files: ['apps', 'packages', 'CHANGELOG.md', 'LICENSES.md'],
    dependencies: Object.fromEntries(libraries.map((library) => [library.name, library.version])),
    bundleDependencies: libraries.map(({ name }) => name),
  };
}
