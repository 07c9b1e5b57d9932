// @ts-check
// Bundles the program: Node needs a second to find and read its 1,500 modules one by one. The bundle is CommonJS, since
// Node's public interface gives the code that V8 has compiled while a program ran only for scripts
// (src/load-program.ts).
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { RolldownMagicString, rolldown } from 'rolldown';

const output = fileURLToPath(new URL('dist/bundle/', import.meta.url));
const require = createRequire(output);

/**
 * Libraries of many small modules, and small ES modules, so that the usual commands need not start Node's second
 * loader. What they import is bundled with them. The others stay where they are, since some bring binaries, threads or
 * files.
 */
const BUNDLED = [
  ...['typebox', 'kysely', 'yaml', 'diff', 'commander', '@clack/prompts', 'fastify', '@fastify/static'],
  ...['@bomb.sh/tab', 'env-paths', 'is-safe-filename', 'leven', 'p-limit', 'p-retry'],
];

/** Not bundled although one of them imports it: it starts threads from its files. */
const SEPARATE = ['pino'];

/** Where a file is, seen from the bundle. @param {string} path */
const fromBundle = (path) => relative(output, path).split(sep).join('/');

/** The library that contains a file; undefined for a file of this project. @param {string} path */
const libraryOf = (path) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1]?.replace(sep, '/');

/** The package or library of a module; null for what the bundler adds. @param {string} id */
const packageOf = (id) =>
  libraryOf(id)?.replaceAll(/[@/]/g, '') ?? /[\\/](?:packages|apps)[\\/]([^\\/]+)/.exec(id)?.[1] ?? null;

/** Lets a module find its threads, files and libraries as if it were not bundled. @type {import('rolldown').Plugin} */
const locations = {
  name: 'locations',
  transform: {
    filter: { id: { exclude: /^\0/ }, code: 'import.meta' },
    async handler(code, id) {
      const script = new RolldownMagicString(code);
      for (const { 0: found, 1: source, index } of code.matchAll(/\bimport\.meta\.(?:url\b|resolve\('([^']+)'\))/g)) {
        const target = source === undefined ? { id, external: false } : await this.resolve(source, id);
        if (target === null) throw new Error(`${id} refers to ${source}, which does not exist.`);
        const path = target.external ? target.id : fromBundle(target.id);
        script.update(index, index + found.length, `new URL('${path}', import.meta.url).href`);
      }
      return { code: script };
    },
  },
};

/** Leaves most libraries where they are. @type {import('rolldown').Plugin} */
const libraries = {
  name: 'libraries',
  async resolveId(source, importer, options) {
    if (importer === undefined || /^(?:\.|node:)/.test(source)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (resolved === null || resolved.external) return resolved;
    const library = libraryOf(resolved.id);
    if (library === undefined) return resolved;
    const isWanted = BUNDLED.includes(library) || libraryOf(importer) !== undefined;
    if (isWanted && !SEPARATE.includes(library)) return resolved;
    return { id: fromBundle(resolved.id), external: true };
  },
};

/**
 * Lets CommonJS take the namespace of an ES module unchanged, with the default export under that name. The bundler
 * would make the namespace itself the default export, which is what Node does with a CommonJS module.
 * @type {import('rolldown').Plugin}
 */
const namespaces = {
  name: 'namespaces',
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

/** Bundles a module of dist. @param {string} input @param {import('rolldown').OutputOptions} options */
async function write(input, options) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    // An entry keeps its exports, and may have more for other chunks.
    preserveEntrySignatures: 'allow-extension',
    plugins: [locations, libraries, namespaces],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await bundle.write({ dir: output, ...options });
}

await write('dist/run-command-line.js', {
  format: 'cjs',
  // The sources are ES modules, which are always strict.
  strict: true,
  entryFileNames: 'main.cjs',
  chunkFileNames: ({ name }) => `${name.replace(/~.*/, '')}-[hash].cjs`,
  codeSplitting: {
    groups: [
      {
        debugName: 'package',
        // A file names its package or library, as the frames of a stack do.
        name: (id) => packageOf(id),
        // A command reads what it needs, and not the server.
        entriesAware: true,
        includeDependenciesRecursively: false,
      },
    ],
  },
  strictExecutionOrder: true,
  // Node says of an import in a script that it is an experiment.
  dynamicImportInCjs: false,
  cleanDir: true,
});
await write('dist/start.js', { format: 'esm', entryFileNames: 'main.js' });

// The compile cache of an earlier bundle.
await rm('dist/cache', { recursive: true, force: true });
const folder = await mkdtemp(join(tmpdir(), 'recollect-build-'));
const own = Object.entries(process.env).filter(([name]) => !name.startsWith('RECOLLECT_'));
const settings = {
  RECOLLECT_DATA_DIR: folder,
  RECOLLECT_PORT: '0',
  RECOLLECT_EMBEDDINGS: 'off',
  RECOLLECT_BACKUPS: 'off',
};
const { status, stderr } = spawnSync(process.execPath, ['dist/warm-up.js', folder, 'dist/cache'], {
  env: { ...Object.fromEntries(own), ...settings },
  stdio: ['ignore', 'ignore', 'pipe'],
  encoding: 'utf8',
  timeout: 60_000,
  killSignal: 'SIGKILL',
});
await rm(folder, { recursive: true, force: true });
// It is a matter of speed alone: without it, the first command that loads a module keeps what was compiled of it until
// then.
if (status !== 0) console.warn(`The commands could not be compiled in advance: ${stderr}`);
