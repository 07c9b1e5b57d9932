// @ts-check
// Bundles the program: Node needs a second to find and read its 1,500 modules one by one. The bundle is CommonJS, since
// Node's public interface gives the code that V8 has compiled while a program ran only for scripts
// (src/load-program.ts).
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, bundleProgram, keepCompiledCode, writeBuildVersion } from '@recollect/bundle';

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

const output = fileURLToPath(new URL('dist/bundle/', import.meta.url));
/** @type {import('@recollect/bundle').Layout} */
const layout = {
  output,
  locate: (path) => relative(output, path).split(sep).join('/'),
  isBundled: (library, importer) =>
    (BUNDLED.includes(library) || importer !== undefined) && !SEPARATE.includes(library),
};

await bundleProgram('dist/run-command-line.js', layout);
await bundle('dist/start.js', layout, {
  format: 'esm',
  entryFileNames: 'main.js',
  chunkFileNames: '[name].js',
});
writeBuildVersion('dist/build.json', {
  release: JSON.parse(readFileSync('package.json', 'utf8')).version,
  repository: '../..',
  files: ['dist/bundle/*', '../../packages/*/dist/**/*.{js,cjs,wasm}'],
});

// It is a matter of speed alone: without it, the first command that loads a module keeps what was compiled of it until
// then.
const failure = await keepCompiledCode('dist');
if (failure !== null) console.warn(`The commands could not be compiled in advance: ${failure}`);
