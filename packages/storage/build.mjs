// @ts-check
// Bundles what the threads run: each server starts several, and Node takes longer to find and read their modules than
// to open a store. As CommonJS, a thread starts sooner by a tenth.
import { relative, resolve, sep } from 'node:path';
import { RolldownMagicString, rolldown } from 'rolldown';

const output = resolve('dist/bundle');

/** Lets a module of another package find its files as if it were not bundled. @type {import('rolldown').Plugin} */
const locations = {
  name: 'locations',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      const script = new RolldownMagicString(code);
      const path = relative(output, id).split(sep).join('/');
      script.replaceAll('import.meta.url', `new URL('${path}', import.meta.url).href`);
      return { code: script };
    },
  },
};

const bundle = await rolldown({
  input: {
    'connection-thread': 'dist/sqlite/connection-thread.js',
    'file-thread': 'dist/sqlite/backup/file-thread.js',
  },
  platform: 'node',
  // These bring binaries.
  external: ['better-sqlite3', 'sqlite-vec'],
  plugins: [locations],
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message);
  },
});
await bundle.write({
  dir: output,
  format: 'cjs',
  // The sources are ES modules, which are always strict.
  strict: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  sourcemap: true,
  cleanDir: true,
});
