import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,apps,tools}/*/test/**/*.test.ts'],
    // Many tests wait for a browser, a process or a limit of time; left to itself Vitest keeps a core free.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
