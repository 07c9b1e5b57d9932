import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const files = '{packages,apps,tools}/*/test/**/*.test.ts';
/** Left out by `npm test`, unless `LONG=1`: they wait for the limits of time that ship, or repeat a suite in another way. */
const long = process.env.LONG === '1' ? [] : ['**/*.long.test.ts'];
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
    setupFiles: ['./vitest.setup.ts'],
    // Files share a process, and so what they import: TypeBox alone has 700 modules.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A wait ends when its condition holds: a limit is only for a fault, and a machine that runs other tests is slow.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'others',
          include: [files],
          exclude: [...configDefaults.exclude, ...plugins, ...long],
          maxWorkers: workers + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'plugins',
          include: plugins.map((path) => (path.endsWith('**') ? `${path}/*.test.ts` : path)),
          maxWorkers: workers + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
