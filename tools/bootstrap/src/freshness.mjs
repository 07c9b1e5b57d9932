// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const INSTALL_INPUTS = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
const BUILD_INPUTS = ['tsconfig.base.json', 'turbo.json'];
const PROJECT_FOLDERS = ['packages', 'apps', 'tools'];
/** Files that installing and building create. */
const PRODUCTS = [join('node_modules', '.modules.yaml'), join('apps', 'cli', 'dist', 'bundle', 'main.js')];

/**
 * Checks whether the installed and built files match the current sources. It compares only names, sizes and times,
 * which takes milliseconds; asking pnpm and turbo takes seconds.
 * @param {string} root
 */
export function createFreshness(root) {
  const stamp = join(root, 'node_modules', '.cache', 'recollect-bootstrap.json');
  const isThere = PRODUCTS.every((path) => existsSync(join(root, path)));

  const read = () => {
    try {
      return /** @type {{ install?: string, build?: string }} */ (JSON.parse(readFileSync(stamp, 'utf8')));
    } catch {
      return {};
    }
  };

  const write = (/** @type {{ install?: string, build?: string }} */ marks) => {
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, JSON.stringify(marks));
  };

  const projects = PROJECT_FOLDERS.flatMap((folder) => childrenOf(join(root, folder)));
  const manifests = projects.map((project) => join(project, 'package.json'));
  const installInputs = [...INSTALL_INPUTS.map((path) => join(root, path)), ...manifests];
  const buildInputs = [
    ...BUILD_INPUTS.map((path) => join(root, path)),
    ...filesBelow(join(root, 'docs')),
    ...projects.flatMap((project) => [
      join(project, 'tsconfig.json'),
      join(project, 'build.mjs'),
      join(project, 'asconfig.json'),
      ...['src', 'assembly', 'public'].flatMap((folder) => filesBelow(join(project, folder))),
    ]),
  ];

  return {
    isInstalled: () => isThere && read().install === fingerprint(root, installInputs),
    isBuilt: () => isThere && read().build === fingerprint(root, [...installInputs, ...buildInputs]),
    markInstalled: () => write({ install: fingerprint(root, installInputs) }),
    markBuilt: () => write({ ...read(), build: fingerprint(root, [...installInputs, ...buildInputs]) }),
  };
}

/** @param {string} root @param {readonly string[]} files */
function fingerprint(root, files) {
  const hash = createHash('sha256').update(process.platform + process.arch);
  for (const file of [...files].sort()) {
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts?.isFile()) hash.update(`${file.slice(root.length)}\n${facts.size}\n${facts.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @param {string} folder */
function childrenOf(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
