// @ts-check
// Bundles what the process of a plugin runs, with what plugins import: TypeBox alone has 700 modules, which took longer
// to find and read than most plugins run.
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: {
    main: 'dist/child/main.js',
    plugin: 'dist/index.js',
    typebox: 'typebox',
    'typebox-value': 'typebox/value',
  },
  platform: 'node',
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message);
  },
});
await bundle.write({ dir: 'dist/bundle', format: 'esm', sourcemap: true, cleanDir: true });
