// @ts-check
import { rolldown } from 'rolldown';

export { findCommit, writeBuildVersion } from './build-version.mjs';
export { keepCompiledCode } from './keep-compiled-code.mjs';

import { keepLibraries, keepLocations, keepNamespaces, libraryOf } from './plugins.mjs';

/**
 * @typedef {import('./plugins.mjs').Layout} Layout
 * @typedef {import('rolldown').OutputOptions} OutputOptions
 */

/** The package or library of a module; null for what the bundler adds. @param {string} id */
const packageOf = (id) =>
  libraryOf(id)?.replaceAll(/[@/]/g, '') ?? /[\\/](?:packages|apps)[\\/]([^\\/]+)/.exec(id)?.[1] ?? null;

/**
 * Bundles modules.
 * @param {import('rolldown').InputOption} input
 * @param {Layout} layout
 * @param {OutputOptions} options
 */
export async function bundle(input, layout, options) {
  const build = await rolldown({
    input,
    platform: 'node',
    // An entry keeps its exports, and may have more for other chunks.
    preserveEntrySignatures: 'allow-extension',
    plugins: [keepLocations(layout), keepLibraries(layout), keepNamespaces(layout)],
    checks: { pluginTimings: false },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await build.write({ dir: layout.output, ...options });
  await build.close();
}

/**
 * Bundles a program as CommonJS in chunks, so that a command reads only what it needs, and `load-program.ts` can keep
 * what V8 compiles.
 * @param {string} input the path of the program's first module
 * @param {Layout} layout
 * @param {OutputOptions} [options]
 */
export function bundleProgram(input, layout, options = {}) {
  return bundle(input, layout, {
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
    ...options,
  });
}
