import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const files = '{packages,apps,tools}/*/test/**/*.test.ts';
/** Tests of plugins: their processes have a low priority, and limits of time. With more workers than processors they would starve. */
const plugins = [
  'packages/{plugin-runtime,plugins}/test/**',
  'apps/*/test/plugins.test.ts',
  'apps/cli/test/runners.test.ts',
];
// Many of the others wait for a browser, a process or a limit of time.
const workers = Math.max(2, availableParallelism());

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'others',
          include: [files],
          exclude: [...configDefaults.exclude, ...plugins],
          maxWorkers: workers + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'plugins',
          include: plugins.map((path) => (path.endsWith('**') ? `${path}/*.test.ts` : path)),
          maxWorkers: workers,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
