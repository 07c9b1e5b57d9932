// @ts-check
// Bundles what the threads run: each server starts several, and Node takes longer to find and read their modules than to open a
// store. As CommonJS, a thread starts sooner by a tenth.
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: {
    'connection-thread': 'dist/sqlite/connection-thread.js',
    'file-thread': 'dist/sqlite/backup/file-thread.js',
  },
  platform: 'node',
  // These bring binaries.
  external: ['better-sqlite3', 'sqlite-vec', '@recollect/vector-scan'],
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message);
  },
});
await bundle.write({
  dir: 'dist/bundle',
  format: 'cjs',
  // The sources are ES modules, which are always strict.
  strict: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  sourcemap: true,
  cleanDir: true,
});
