import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const files = '{packages,apps,tools}/*/test/**/*.test.ts';
const isLong = process.env.LONG === '1';
// Many tests wait for a browser, a process or a limit of time.
const workers = Math.max(2, availableParallelism()) + 3;

/** The tag of the tests that `npm test` leaves out unless `LONG=1`, as it does files that end in `.long.test.ts`. */
const LONG = {
  name: 'long',
  description: 'Large data, real limits of time and faults, and what another test proves in a cheaper way.',
};

/** Small files that take long: the suite of a port, or limits of time. */
const UNDERRATED = /verify-storage|time-limits|runners|host\.test|process\.test|restore-damaged|torture/;

/** Runs slow small files first, and then the largest files, as vitest does, since they take longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isUnderrated = ({ moduleId }: TestSpecification) => UNDERRATED.test(moduleId);
    return [...sorted.filter(isUnderrated), ...sorted.filter((file) => !isUnderrated(file))];
  }
}

export default defineConfig({
  test: {
    include: [files],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : ['**/*.long.test.ts'])],
    tags: [LONG],
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['./vitest.setup.ts'],
    // Files share a process, and so what they import: TypeBox alone has 700 modules.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A wait ends when its condition holds: a limit is only for a fault, and a machine that runs other tests is slow.
    expect: { poll: { timeout: 60_000 } },
  },
});
